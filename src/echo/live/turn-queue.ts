import type { Logger } from 'pino';
import type { CallOwner } from '../../access/caller.js';
import { InternalError, PlatformError } from '../../errors.js';
import type { CallContext } from '../../inference/domain.js';
import { AudioFailed } from '../../platform/audio/audio-failed.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { Transcript } from '../transcripts/transcripts.types.js';
import type { LiveEvents } from './live-events.js';
import type { LiveTranscriber, TurnOptions } from './live-transcriber.js';

/** Turns of a session that may wait: then nothing more is read of it. */
const WAITING = 4;

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
  readonly transcriber: LiveTranscriber;
  readonly context: CallContext;
  /** Tells whoever watches the recording; undefined: nothing is stored. */
  readonly events: Pick<LiveEvents, 'add'> | undefined;
  readonly recordingId: string | undefined;
  readonly log: Logger;
}

/** Transcribes the turns of a session, one after another, so that they are told in their order. */
export class TurnQueue {
  private readonly running: Promise<void>[] = [];
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly parts: TurnQueueParts) {}

  /** Resolves when another turn may be added. Never fails. */
  async add(turn: Turn): Promise<void> {
    const done = (this.last = this.last.then(() => this.run(turn)));
    this.running.push(done);
    void done.finally(() => this.running.splice(this.running.indexOf(done), 1));
    if (this.running.length >= WAITING) await this.running[0];
  }

  /** Tells those who watch how the session is. Never fails. */
  tellStatus(status: 'started' | 'ended'): Promise<void> {
    return this.record('STATUS', { status });
  }

  /** Resolves when all is told. */
  idle(): Promise<void> {
    return this.last;
  }

  private async run(turn: Turn): Promise<void> {
    const { caller, context, transcriber } = this.parts;
    if (context.signal.aborted) return;
    try {
      const transcript = await transcriber.transcribe(caller, turn.samples, { ...turn, context });
      await this.tell(turn, transcript);
    } catch (error) {
      if (context.signal.aborted) return;
      const { type, code, message, details } = this.known(error);
      const told = { type, code, message, param: details.param ?? null };
      turn.send('conversation.item.input_audio_transcription.failed', {
        item_id: turn.itemId,
        content_index: 0,
        error: told,
      });
      await this.record('STATUS', { item_id: turn.itemId, status: 'failed', error: { code, message } });
    }
  }

  private async tell({ itemId, samples, send, startMs }: Turn, transcript: Transcript): Promise<void> {
    const item = { item_id: itemId, content_index: 0 };
    const name = 'conversation.item.input_audio_transcription';
    const from = startMs / 1_000;
    const texts: string[] = [];
    for (const [index, { text, start, end, speaker }] of transcript.segments.entries()) {
      const told = texts.length === 0 ? text : ` ${text}`;
      texts.push(text);
      send(`${name}.delta`, { ...item, delta: told });
      const place = { start: round(from + start), end: round(from + end), speaker };
      send(`${name}.segment`, { ...item, id: `${itemId}_${index}`, text, ...place });
      await this.record('PARTIAL', { item_id: itemId, text, ...place });
    }
    const text = texts.join(' ');
    const seconds = round(samples.length / 32_000);
    send(`${name}.completed`, { ...item, transcript: text, usage: { type: 'duration', seconds } });
    if (text !== '')
      await this.record('FINAL', { item_id: itemId, text, start: round(from), end: round(from + seconds) });
  }

  private async record(type: 'PARTIAL' | 'FINAL' | 'STATUS', data: JsonObject): Promise<void> {
    const { events, log, recordingId } = this.parts;
    if (!events || recordingId === undefined) return;
    try {
      await events.add(recordingId, type, data);
    } catch (error) {
      log.warn({ err: error }, 'an event of a live transcription is not stored');
    }
  }

  private known(error: unknown): PlatformError {
    if (error instanceof PlatformError) return error;
    if (error instanceof AudioFailed) return new InternalError();
    this.parts.log.error({ err: error }, 'a turn could not be transcribed');
    return new InternalError();
  }
}

function round(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}
