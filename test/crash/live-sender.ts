import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import type { AnyJson } from '../support/probes/any-json.js';
import { lifeOf } from './client.js';
import type { Replica } from './replica.js';

const RATE = 16_000;
/** 100 ms of 16 bits. */
const FRAME_BYTES = RATE / 5;
/** A session that goes on may be cut off again. */
const MOST_SESSIONS = 40;
const RETRY_MS = 100;

/** How audio is sent. */
interface Sending {
  /** 16 kHz, 16 bits, without a head. */
  readonly audio: Buffer;
  readonly pieces: number;
  /** What is waited for between two pieces: audio is stored meanwhile. */
  readonly pieceMs: number;
  /** Told before each piece, and before the end with the number of all. */
  readonly onPiece: (index: number) => void;
}

/** Speaks to a live session that stores, as a client does that goes on behind what is stored when it is cut off. */
export class LiveSender {
  /** How many sessions it has taken. */
  sessions = 0;
  private stored = 0;
  private lost: string | undefined;

  constructor(
    private readonly server: Replica,
    private readonly token: string,
    private readonly recordingId: string,
  ) {}

  /** Resolves when the server has closed a session in good order. @throws Error where stored audio is gone */
  async send(sending: Sending): Promise<void> {
    while (this.sessions < MOST_SESSIONS) {
      const isOver = await this.play(sending).catch(() => false);
      if (this.lost !== undefined) throw new Error(this.lost);
      if (isOver) return;
      await sleep(RETRY_MS);
    }
    throw new Error(`No more than ${this.stored} bytes were stored.`);
  }

  /** One session. @returns whether it was closed in good order @throws Error where there is no server, or it refuses */
  private async play({ audio, pieces, pieceMs, onPiece }: Sending): Promise<boolean> {
    const size = Math.ceil(audio.length / pieces / FRAME_BYTES) * FRAME_BYTES;
    let at = this.stored;
    const socket = this.open(at);
    const closed = once(socket, 'close') as Promise<[number]>;
    await once(socket, 'open');
    this.sessions += 1;
    const input = { format: { type: 'audio/pcm', rate: RATE } };
    socket.send(JSON.stringify({ type: 'session.update', session: { type: 'transcription', audio: { input } } }));
    while (at < audio.length && socket.readyState === WebSocket.OPEN) {
      const piece = Math.floor(at / size);
      onPiece(piece);
      for (const end = Math.min(audio.length, (piece + 1) * size); at < end;) {
        const next = Math.min(end, at + FRAME_BYTES);
        socket.send(audio.subarray(at, next));
        at = next;
      }
      await sleep(pieceMs);
    }
    onPiece(pieces);
    socket.send(JSON.stringify({ type: 'session.close' }));
    const [code] = await closed;
    return code === 1_000;
  }

  private open(offset: number): WebSocket {
    const query = `intent=transcription&recording_id=${this.recordingId}&offset=${offset}`;
    const address = `${lifeOf(this.server).origin.replace(/^http/, 'ws')}/v1/realtime?${query}`;
    const socket = new WebSocket(address, { headers: { authorization: `Bearer ${this.token}` } });
    socket.on('error', () => undefined);
    // Of a session that goes on: what was told before a crash is there behind it.
    let isFirst = true;
    socket.on('message', (data: Buffer) => {
      const event = JSON.parse(data.toString()) as AnyJson;
      if (event.type !== 'recording.stored') return;
      if (isFirst && event.bytes < this.stored) {
        this.lost = `${event.bytes} bytes are stored, and ${this.stored} were told.`;
      }
      isFirst = false;
      this.stored = Math.max(this.stored, event.bytes);
    });
    return socket;
  }
}
