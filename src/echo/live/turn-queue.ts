import type { Logger } from 'pino';
import type { CallOwner } from '../../access/caller.js';
import { InternalError, PlatformError, Unavailable } from '../../errors.js';
import type { CallContext } from '../../inference/domain.js';
import { DECODED_RATE } from '../../platform/audio/audio.types.js';
import { AudioFailed } from '../../platform/audio/audio-failed.js';
import { unlessAborted } from '../../platform/async/unless-aborted.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { lastSaid } from '../transcripts/read-across.js';
import type { TranscriptSegment } from '../transcripts/transcripts.types.js';
import type { LiveEventQueue } from './live-event-queue.js';
import type { NewLiveEvent } from './live-event-log.js';
import type { LiveTranscriber, LiveTranscript, TurnOptions } from './live-transcriber.js';

/** Turns that may wait of a session that nothing else keeps: then nothing more is read of it. */
const WAITING = 4;
/** What may wait of one that is stored, in bytes: twice what a client may send at once. */
const WAITING_BYTES = 120 * DECODED_RATE * 2;

/** What was said in one turn, and who is told. */
export interface Turn extends Pick<TurnOptions, 'model' | 'language' | 'prompt'> {
  readonly itemId: string;
  /** In the session. */
  readonly startMs: number;
  /** Of 16 kHz, 16 bits. */
  readonly samples: Buffer;
  readonly send: (type: string, members: JsonObject) => void;
}

interface TurnQueueParts {
  readonly caller: CallOwner;
  readonly transcriber: Pick<LiveTranscriber, 'transcribe' | 'warm'>;
  readonly context: CallContext;
  /** Tells whoever watches the recording; undefined: nothing is stored. */
  readonly events: Pick<LiveEventQueue, 'add'> | undefined;
  readonly recordingId: string | undefined;
  /** How long the end of a session that is stored waits for the text of each turn. */
  readonly lateSeconds: number;
  readonly log: Logger;
}

/** Transcribes the turns of a session, one after another, so that they are told in their order. */
export class TurnQueue {
  private readonly running: Promise<void>[] = [];
  private last: Promise<void> = Promise.resolve();
  private waitingBytes = 0;
  private before: readonly TranscriptSegment[] = [];
  /** Those of which nothing is told yet. */
  private readonly untold = new Set<Turn>();

  constructor(private readonly parts: TurnQueueParts) {}

  /** A turn begins, or comes soon: until it is over, the child that decodes it has time to start. Never fails. */
  expectTurn(): void {
    this.parts.transcriber.warm();
  }

  /**
   * Resolves when another turn may be added. Of a session that is stored it is so at once, since storing waits for no model:
   * what a model is too slow for has failed, and is transcribed with the whole recording. Never fails.
   */
  async add(turn: Turn): Promise<void> {
    const isStored = this.parts.recordingId !== undefined;
    if (isStored && this.waitingBytes > 0 && this.waitingBytes + turn.samples.length > WAITING_BYTES) {
      this.fail(turn, tooSlow());
      return;
    }
    this.untold.add(turn);
    this.waitingBytes += turn.samples.length;
    const done = (this.last = this.last.then(() => this.run(turn)));
    this.running.push(done);
    void done.finally(() => {
      this.untold.delete(turn);
      this.waitingBytes -= turn.samples.length;
      this.running.splice(this.running.indexOf(done), 1);
    });
    if (!isStored && this.running.length >= WAITING) await this.running[0];
  }

  /** Tells those who watch how the session is. Never fails. */
  tellStatus(status: 'started' | 'ended'): Promise<void> {
    return this.record([{ type: 'STATUS', data: { status } }]);
  }

  /**
   * Resolves when the client is told all. Of a session that is stored it waits for a model that is slow, as long as it tells
   * one turn after another, and for none that hangs. Never fails.
   */
  async finish(): Promise<void> {
    if (this.parts.recordingId === undefined) return this.last;
    for (const turn of this.running.slice()) {
      if (!(await this.endsInTime(turn))) break;
    }
    for (const turn of this.untold) this.fail(turn, tooSlow());
    this.untold.clear();
  }

  private async endsInTime(turn: Promise<void>): Promise<boolean> {
    const late = new AbortController();
    const deadline = setTimeout(() => late.abort(), this.parts.lateSeconds * 1_000);
    try {
      await unlessAborted(turn, late.signal);
      return true;
    } catch {
      return false;
    } finally {
      clearTimeout(deadline);
    }
  }

  private async run(turn: Turn): Promise<void> {
    const { caller, context, transcriber } = this.parts;
    if (context.signal.aborted || !this.untold.has(turn)) return;
    try {
      const transcript = await transcriber.transcribe(caller, turn.samples, { ...turn, before: this.before, context });
      this.before = lastSaid([...this.before, ...transcript.segments]);
      // What is told now has not failed, though storing it is still to come.
      if (this.untold.delete(turn)) await this.tell(turn, transcript);
    } catch (error) {
      if (context.signal.aborted || !this.untold.delete(turn)) return;
      this.fail(turn, this.known(error));
    }
  }

  /** Whoever speaks is told of each turn at once. Storing it is not waited for: failures wait for each other. */
  private fail({ itemId, send }: Turn, { type, code, message, details }: PlatformError): void {
    const error = { type, code, message, param: details.param ?? null };
    send('conversation.item.input_audio_transcription.failed', { item_id: itemId, content_index: 0, error });
    const data = { item_id: itemId, status: 'failed', turns: 1, error: { code, message } };
    void this.record([{ type: 'STATUS', data }]);
  }

  /** Where the model has repeated itself all is marked. Whoever speaks is told all of it at once; those who watch read what is stored. */
  private async tell({ itemId, samples, send, startMs }: Turn, transcript: LiveTranscript): Promise<void> {
    const item = { item_id: itemId, content_index: 0 };
    const name = 'conversation.item.input_audio_transcription';
    const from = startMs / 1_000;
    const texts: string[] = [];
    const events: NewLiveEvent[] = [];
    const mark = transcript.segments.some(({ lowConfidence }) => lowConfidence) ? { low_confidence: true } : {};
    for (const [index, { text, start, end, speaker }] of transcript.segments.entries()) {
      const told = texts.length === 0 ? text : ` ${text}`;
      texts.push(text);
      send(`${name}.delta`, { ...item, delta: told });
      const place = { start: round(from + start), end: round(from + end), speaker, ...mark };
      send(`${name}.segment`, { ...item, id: `${itemId}_${index}`, text, ...place });
      events.push({ type: 'PARTIAL', data: { item_id: itemId, text, ...place } });
    }
    const text = texts.join(' ');
    const usage = { type: 'duration', seconds: transcript.chargedSeconds };
    send(`${name}.completed`, { ...item, transcript: text, usage, ...mark });
    if (text === '') return;
    const end = round(from + samples.length / (2 * DECODED_RATE));
    const whole = { item_id: itemId, text, start: round(from), end, ...mark };
    await this.record([...events, { type: 'FINAL', data: whole }]);
  }

  private record(added: readonly NewLiveEvent[]): Promise<void> {
    const { events, recordingId } = this.parts;
    return (recordingId !== undefined && events?.add(recordingId, added)) || Promise.resolve();
  }

  private known(error: unknown): PlatformError {
    if (error instanceof PlatformError) return error;
    if (error instanceof AudioFailed) return new InternalError();
    this.parts.log.error({ err: error }, 'a turn could not be transcribed');
    return new InternalError();
  }
}

function tooSlow(): Unavailable {
  return new Unavailable('The model is too slow for what is said.');
}

function round(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}
