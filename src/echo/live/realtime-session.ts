import { randomBytes } from 'node:crypto';
import { BadRequest, PlatformError } from '../../errors.js';
import type { DomainSocket, SocketHandler } from '../../http/socket-endpoint.js';
import { memberOf, parseJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { LiveSamples } from './live-format.js';
import type { LiveRecording } from './live-recording.js';
import { toSession, updatedSettings } from './session-settings.js';
import type { SessionSettings } from './session-settings.js';
import { TurnBuffer } from './turn-buffer.js';
import type { TurnQueue } from './turn-queue.js';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const NORMAL_CLOSE = 1_000;
/** What a commit needs, in milliseconds: as OpenAI's interface has it. */
const LEAST_MS = 100;

interface RealtimeSessionParts {
  readonly socket: DomainSocket;
  readonly settings: SessionSettings;
  readonly turns: TurnQueue;
  /** Undefined: nothing is stored. */
  readonly recording: LiveRecording | undefined;
}

/** One session of live transcription: OpenAI's realtime events over a socket, and binary frames as audio. */
export class RealtimeSession implements SocketHandler {
  private readonly id = newId('sess');
  private settings: SessionSettings;
  private samples: LiveSamples | undefined;
  private readonly buffer: TurnBuffer;
  /** Of the turn that has begun and is not committed. */
  private itemId: string | undefined;
  private previousItemId: string | null = null;
  private isClosing = false;

  constructor(private readonly parts: RealtimeSessionParts) {
    this.settings = parts.settings;
    this.buffer = new TurnBuffer(parts.settings.detection);
    this.send('session.created', { session: toSession(this.id, this.settings) });
    void parts.turns.tellStatus('started');
  }

  /** Sends an event of the server. */
  readonly send = (type: string, members: JsonObject): void => {
    void this.parts.socket.send(JSON.stringify({ event_id: newId('event'), type, ...members }));
  };

  /** Sends an `error`; the session goes on. @param eventId of the event that is at fault */
  readonly sendError = (error: PlatformError, eventId?: unknown): void => {
    const { type, code, message, details } = error;
    const told = {
      type,
      code,
      message,
      param: details.param ?? null,
      event_id: typeof eventId === 'string' ? eventId : null,
    };
    this.send('error', { error: told });
  };

  async text(text: string): Promise<void> {
    const event = parseJsonObject(Buffer.from(text));
    try {
      if (!event) throw new BadRequest('An event is a JSON object.');
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

  ending({ type, code, message }: PlatformError): string {
    void this.parts.recording?.flush();
    const error = { type, code, message, param: null, event_id: null };
    return JSON.stringify({ event_id: newId('event'), type: 'error', error });
  }

  private async handle(event: JsonObject): Promise<void> {
    switch (memberOf(event, 'type')) {
      case 'session.update':
      case 'transcription_session.update':
        return this.update(event);
      case 'input_audio_buffer.append':
        return this.append(decoded(event['audio']));
      case 'input_audio_buffer.commit':
        if (this.buffer.milliseconds < LEAST_MS)
          throw new BadRequest(`There is less than ${LEAST_MS} ms of audio to commit.`, 'type');
        return this.commit();
      case 'input_audio_buffer.clear':
        this.buffer.clear();
        this.itemId = undefined;
        return this.send('input_audio_buffer.cleared', {});
      case 'session.close':
        return this.close();
      default:
        throw new BadRequest('type is no event of a transcription session.', 'type');
    }
  }

  private update(event: JsonObject): void {
    const settings = updatedSettings(this.settings, event['session']);
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
    this.samples ??= new LiveSamples(format);
    await this.parts.recording?.push(bytes, format);
    for (const change of this.buffer.push(this.samples.push(bytes))) {
      if (change.kind === 'started') {
        this.itemId = newId('item');
        this.send('input_audio_buffer.speech_started', {
          audio_start_ms: Math.round(change.atMs),
          item_id: this.itemId,
        });
      } else {
        const endMs = change.kind === 'full' ? this.buffer.startMs + this.buffer.milliseconds : change.atMs;
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
    const { startMs } = this.buffer;
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
    await turns.idle();
    await recording?.flush();
    await turns.tellStatus('ended');
    await recording?.end().catch((error: unknown) => {
      if (!(error instanceof PlatformError)) throw error;
      this.sendError(error);
    });
    socket.close(NORMAL_CLOSE, 'All is said.');
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
