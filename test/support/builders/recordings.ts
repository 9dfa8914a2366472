import { createHash } from 'node:crypto';
import type { AnyJson } from '../probes/any-json.js';
import type { Platform, RestAnswer, RestOptions } from '../servers/platform.js';

const RATE = 16_000;
const HEADER_BYTES = 44;

/** A WAV file of 16 kHz, mono, 16 bits. @param sampleOf from −1 to 1, by its number */
export function wavOf(seconds: number, sampleOf: (index: number) => number): Buffer {
  const samples = Math.round(seconds * RATE);
  const file = Buffer.alloc(HEADER_BYTES + 2 * samples);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(RATE, 24);
  file.writeUInt32LE(2 * RATE, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(2 * samples, 40);
  for (let index = 0; index < samples; index += 1) {
    file.writeInt16LE(Math.round(32_767 * sampleOf(index)), HEADER_BYTES + 2 * index);
  }
  return file;
}

/** A WAV file in which nothing is heard. */
export function silentWav(seconds: number): Buffer {
  return wavOf(seconds, () => 0);
}

/** A WAV file of noise that is the same for the same seed. */
export function noisyWav(seconds: number, seed = 1): Buffer {
  let state = seed;
  return wavOf(seconds, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 1_073_741_824 - 1;
  });
}

/** The SHA-256 of bytes, in hexadecimal digits. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A recording of a test, as one user sees it. */
export class RecordingProbe {
  private constructor(
    private readonly platform: Platform,
    readonly token: string,
    readonly id: string,
  ) {}

  static async create(platform: Platform, token: string, body: object = {}): Promise<RecordingProbe> {
    const answer = await platform.request('POST', '/v1/echo/recordings', { token, body: { title: 'Test', ...body } });
    if (answer.status !== 201) throw new Error(`No recording: ${JSON.stringify(answer.body)}`);
    return new RecordingProbe(platform, token, answer.body.id as string);
  }

  /** The same recording, as somebody else sees it. @param platform the replica that is asked */
  as(token: string, platform: Platform = this.platform): RecordingProbe {
    return new RecordingProbe(platform, token, this.id);
  }

  request(method: string, path = '', options: Omit<RestOptions, 'token'> = {}): Promise<RestAnswer> {
    const { platform, token, id } = this;
    return platform.request(method, `/v1/echo/recordings/${id}${path}`, { token, ...options });
  }

  /** What is known of it. */
  async get(): Promise<AnyJson> {
    return (await this.request('GET')).body;
  }

  /** Sends audio. @param range the header Content-Range; left out: none */
  put(body: Uint8Array | undefined, range?: string, options: Omit<RestOptions, 'token' | 'body'> = {}) {
    const headers = {
      ...(body && { 'content-type': 'audio/wav' }),
      ...(range !== undefined && { 'content-range': range }),
      ...options.headers,
    };
    return this.request('PUT', '/audio', { ...options, body, headers });
  }

  /** Sends a piece of audio. */
  putPiece(audio: Buffer, start: number, end: number, total: number | '*' = audio.length): Promise<RestAnswer> {
    return this.put(audio.subarray(start, end), `bytes ${start}-${end - 1}/${total}`);
  }

  /** Its audio, as it is fetched. */
  async audio(
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; bytes: Buffer; headers: Headers }> {
    const { platform, token, id } = this;
    const answer = await platform.send('GET', `/v1/echo/recordings/${id}/audio`, { token, headers });
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()), headers: answer.headers };
  }
}
