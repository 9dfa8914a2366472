import { createHash } from 'node:crypto';
import { eventually } from '../support/probes/eventually.js';
import type { AnyJson } from '../support/probes/any-json.js';
import { lifeOf, request } from './client.js';
import type { Replica } from './replica.js';

const RECORDINGS = '/v1/echo/recordings';
/** How often a piece is sent again: each time a server may have been killed. */
const MOST_TRIES = 20;

/** The administrator with one recording, at a server that may be started again. */
export class SentRecording {
  private constructor(
    private readonly server: Replica,
    private readonly token: string,
    readonly id: string,
  ) {}

  static async open(server: Replica, token: string): Promise<SentRecording> {
    const body = { title: 'Crash', diarization_enabled: true };
    const answer = await request(lifeOf(server), 'POST', RECORDINGS, { token, body });
    if (answer.status !== 201) throw new Error(`There is no recording: ${JSON.stringify(answer.body)}`);
    return new SentRecording(server, token, answer.body.id);
  }

  /**
   * Sends audio in pieces, as a client does that goes on behind what is stored.
   * @param onPiece told before each piece
   */
  async send(audio: Buffer, pieces: number, onPiece: (index: number) => void): Promise<void> {
    const size = Math.ceil(audio.length / pieces);
    let start = 0;
    for (let tries = 0; start < audio.length && tries < MOST_TRIES; tries += 1) {
      onPiece(Math.floor(start / size));
      const end = Math.min(audio.length, start + size);
      const range = `bytes ${start}-${end - 1}/${audio.length}`;
      const stored = await this.put(range, audio.subarray(start, end)).catch(() => undefined);
      start = stored ?? (await this.stored());
    }
    if (start < audio.length) throw new Error(`No more than ${start} bytes were stored.`);
  }

  /** The SHA-256 of the audio as it is fetched. */
  async hash(): Promise<string> {
    const hash = createHash('sha256');
    const answer = await this.fetch('GET', '/audio');
    for await (const bytes of answer.body ?? []) hash.update(bytes);
    return hash.digest('hex');
  }

  /** Waits until it is transcribed. @throws Error where that has failed */
  async transcript(): Promise<AnyJson> {
    await eventually('the recording is transcribed', 180, async () => {
      const { body } = await request(lifeOf(this.server), 'GET', `${RECORDINGS}/${this.id}`, { token: this.token });
      if (body.status !== 'completed') throw new Error(`The recording is ${JSON.stringify(body)}.`);
      return true;
    });
    // A server may be killed just then.
    return eventually('the transcript is served', 60, async () => {
      const answer = await this.fetch('GET', '/transcript');
      if (answer.status !== 200) return undefined;
      const { recording_id: _id, created_at: _at, ...transcript } = (await answer.json()) as AnyJson;
      return transcript;
    });
  }

  /** How much is stored, as soon as a server tells. */
  private async stored(): Promise<number> {
    let stored = 0;
    await eventually('a server tells what is stored', 60, async () => {
      const told = await this.put('bytes */*').catch(() => undefined);
      stored = told ?? 0;
      return told !== undefined;
    });
    return stored;
  }

  private async put(range: string, body?: Buffer): Promise<number> {
    const answer = await this.fetch('PUT', '/audio', { 'content-type': 'audio/wav', 'content-range': range }, body);
    const { uploaded_bytes: stored, error } = (await answer.json()) as AnyJson;
    return stored ?? error?.current?.uploaded_bytes;
  }

  private fetch(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: Buffer,
  ): Promise<Response> {
    return fetch(`${lifeOf(this.server).origin}${RECORDINGS}/${this.id}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, ...headers },
      body: body as never,
    });
  }
}
