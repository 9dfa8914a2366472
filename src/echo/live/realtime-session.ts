import { randomBytes } from 'node:crypto';
import { BadRequest, PlatformError } from '../../errors.js';
import type { DomainSocket, SocketHandler } from '../../http/socket-endpoint.js';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { memberOf, parseJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { bytesPerSecond, LiveSamples } from './live-format.js';
import type { LivePace } from './live-pace.js';
import type { LiveRecording } from './live-recording.js';
import { toSession, updatedSettings } from './session-settings.js';
import type { SessionSettings } from './session-settings.js';
import { TurnBuffer } from './turn-buffer.js';
import type { TurnQueue } from './turn-queue.js';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const NORMAL_CLOSE = 1_000;
/** What is stored is not all: the client can go on behind it. */
const INCOMPLETE_CLOSE = 1_011;
/** Somebody else goes on with the recording, or what is there is something else. */
const CONFLICT_CLOSE = 4_409;
/** What a commit needs, in milliseconds: as OpenAI's interface has it. */
const LEAST_MS = 100;
const TOO_LITTLE = { message: `There is less than ${LEAST_MS} ms of audio to commit.`, param: 'type' };
const UNKNOWN_EVENT = { message: 'type is no event of a transcription session.', param: 'type' };

/** What an `error` says. */
interface ToldError extends Pick<PlatformError, 'type' | 'code' | 'message'> {
  readonly param?: string | null | undefined;
}

interface RealtimeSessionParts {
  readonly socket: DomainSocket;
  readonly settings: SessionSettings;
  readonly turns: TurnQueue;
  /** Undefined: nothing is stored. */
  readonly recording: LiveRecording | undefined;
  /** Where in the audio of its recording it goes on. */
  readonly startBytes: number;
  /** How fast audio is taken. */
  readonly pace: Pick<LivePace, 'take'>;
  /** Checks that a model may be asked to transcribe. @throws NotFound, Conflict */
  readonly checkModel: (model: string) => Promise<void>;
  /** Aborted when the socket ends. */
  readonly signal: AbortSignal;
}

/** One session of live transcription: OpenAI's realtime events over a socket, and binary frames as audio. */
export class RealtimeSession implements SocketHandler {
  private readonly id = newId('sess');
  private settings: SessionSettings;
  private samples: LiveSamples | undefined;
  private readonly buffer: TurnBuffer;
  /** Where its audio begins, in milliseconds: known once the format is. */
  private startMs = 0;
  /** Of the turn that has begun and is not committed. */
  private itemId: string | undefined;
  private previousItemId: string | null = null;
  private isClosing = false;

  constructor(private readonly parts: RealtimeSessionParts) {
    this.settings = parts.settings;
    this.buffer = new TurnBuffer(parts.settings.detection);
    this.send('session.created', { session: toSession(this.id, this.settings) });
    parts.turns.expectTurn();
    void parts.turns.tellStatus('started');
  }

  /** Sends an event of the server. */
  readonly send = (type: string, members: JsonObject): void => {
    void this.parts.socket.send(JSON.stringify({ event_id: newId('event'), type, ...members }));
  };

  /** Sends an `error`; the session goes on. @param eventId of the event that is at fault */
  readonly sendError = ({ type, code, message, details }: PlatformError, eventId?: unknown): void => {
    this.tellError({ type, code, message, param: details.param }, eventId);
  };

  async text(text: string): Promise<void> {
    const event = parseJsonObject(Buffer.from(text));
    if (!event) return this.refuse({ message: 'An event is a JSON object.' });
    try {
      await this.handle(event);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      this.sendError(error, event?.['event_id']);
    }
  }

  async binary(bytes: Buffer): Promise<void> {
    try {
      await this.append(bytes);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      this.sendError(error);
    }
  }

  /** Ends a session whose audio cannot be stored any more, so that its client goes on behind what is. */
  fail(error: PlatformError): void {
    this.isClosing = true;
    this.sendError(error);
    const isConflict = error.status === 409 && error.details.reason === undefined;
    this.parts.socket.close(isConflict ? CONFLICT_CLOSE : INCOMPLETE_CLOSE, 'The audio cannot be stored.');
  }

  ending({ type, code, message }: PlatformError): string {
    void this.parts.recording?.flush();
    const error = { type, code, message, param: null, event_id: null };
    return JSON.stringify({ event_id: newId('event'), type: 'error', error });
  }

  /** Says that an event is bad: without an error, which takes a hundred times as long to make, since any number may come. */
  private refuse({ message, param }: Pick<ToldError, 'message' | 'param'>, eventId?: unknown): void {
    this.tellError({ type: 'invalid_request_error', code: 'bad_request', message, param }, eventId);
  }

  private tellError({ type, code, message, param = null }: ToldError, eventId: unknown): void {
    const event_id = typeof eventId === 'string' ? eventId : null;
    this.send('error', { error: { type, code, message, param, event_id } });
  }

  private async handle(event: JsonObject): Promise<void> {
    switch (memberOf(event, 'type')) {
      case 'session.update':
      case 'transcription_session.update':
        return this.update(event);
      case 'input_audio_buffer.append':
        return this.append(decoded(event['audio']));
      case 'input_audio_buffer.commit':
        if (this.buffer.milliseconds < LEAST_MS) return this.refuse(TOO_LITTLE, event['event_id']);
        return this.commit();
      case 'input_audio_buffer.clear':
        this.buffer.clear();
        this.itemId = undefined;
        return this.send('input_audio_buffer.cleared', {});
      case 'session.close':
        return this.close();
      default:
        return this.refuse(UNKNOWN_EVENT, event['event_id']);
    }
  }

  private async update(event: JsonObject): Promise<void> {
    const settings = updatedSettings(this.settings, event['session']);
    const { model } = settings;
    if (model !== undefined && model !== this.settings.model) await this.parts.checkModel(model);
    const { encoding, rate } = this.settings.format;
    if (this.samples && (settings.format.encoding !== encoding || settings.format.rate !== rate))
      throw new BadRequest('The format cannot change once audio has come.', 'session.audio.input.format');
    if (settings.detection !== this.settings.detection) this.buffer.detect(settings.detection);
    this.settings = settings;
    const name = event['type'] === 'session.update' ? 'session.updated' : 'transcription_session.updated';
    this.send(name, { session: toSession(this.id, settings) });
  }

  /** Takes audio: it is stored as it came, and looked at for turns. */
  private async append(bytes: Buffer): Promise<void> {
    if (bytes.length === 0 || this.isClosing) return;
    const { format } = this.settings;
    const { recording, pace, signal, startBytes } = this.parts;
    const second = bytesPerSecond(format);
    this.startMs = (startBytes / second) * 1_000;
    const samples = (this.samples ??= new LiveSamples(format, startBytes));
    await recording?.push(bytes, format);
    const cooperation = new CooperativeYield();
    for (let at = 0; at < bytes.length; at += second) {
      const slice = bytes.subarray(at, at + second);
      await pace.take(slice.length / second);
      if (signal.aborted) return;
      await this.listen(samples.push(slice));
      // A second takes a few milliseconds, and a message may have a minute.
      if (at + second < bytes.length) await cooperation.yield();
    }
  }

  /** Looks for turns in samples of 16 kHz. */
  private async listen(samples: Buffer): Promise<void> {
    for (const change of this.buffer.push(samples)) {
      if (change.kind === 'started') {
        this.itemId = newId('item');
        this.parts.turns.expectTurn();
        this.send('input_audio_buffer.speech_started', {
          audio_start_ms: Math.round(this.startMs + change.atMs),
          item_id: this.itemId,
        });
      } else {
        const atMs = change.kind === 'full' ? this.buffer.startMs + this.buffer.milliseconds : change.atMs;
        const endMs = this.startMs + atMs;
        if (this.settings.detection) {
          this.itemId ??= newId('item');
          this.send('input_audio_buffer.speech_stopped', { audio_end_ms: Math.round(endMs), item_id: this.itemId });
        }
        await this.commit();
      }
    }
  }

  /** Ends a turn; resolves when another one may be taken. */
  private async commit(): Promise<void> {
    const itemId = this.itemId ?? newId('item');
    const startMs = this.startMs + this.buffer.startMs;
    const samples = this.buffer.take();
    this.itemId = undefined;
    this.send('input_audio_buffer.committed', { item_id: itemId, previous_item_id: this.previousItemId });
    this.previousItemId = itemId;
    const { model, language, prompt } = this.settings;
    await this.parts.turns.add({ itemId, startMs, samples, model, language, prompt, send: this.send });
  }

  /** Sends what is still to be told, then closes. */
  private async close(): Promise<void> {
    if (this.isClosing) return;
    this.isClosing = true;
    const { recording, socket, turns } = this.parts;
    const isTurn = this.settings.detection === null || this.buffer.isSpeaking;
    if (isTurn && this.buffer.milliseconds >= LEAST_MS) await this.commit();
    // Storing waits for no model.
    await recording?.flush();
    await turns.finish();
    await turns.tellStatus('ended');
    if (await this.endRecording()) socket.close(NORMAL_CLOSE, 'All is said.');
    else socket.close(INCOMPLETE_CLOSE, 'The recording is not ended.');
  }

  /** @returns false where it could not be ended, of which the client has been told */
  private async endRecording(): Promise<boolean> {
    try {
      await this.parts.recording?.end();
      return true;
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      this.sendError(error);
      return false;
    }
  }
}

function decoded(audio: unknown): Buffer {
  if (typeof audio !== 'string' || audio.length % 4 !== 0 || !BASE64.test(audio))
    throw new BadRequest('audio must be base64.', 'audio');
  return Buffer.from(audio, 'base64');
}

/** Such as `item_…`. */
function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('base64url')}`;
}
