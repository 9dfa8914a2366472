import type { Logger } from 'pino';
import type { CallOwner } from '../../access/caller.js';
import { BadRequest, Conflict, PlatformError, Unavailable } from '../../errors.js';
import type { DomainSocket, SocketEndpoint, SocketHandler, SocketRequest } from '../../http/socket-endpoint.js';
import type { Models } from '../../inference/domain.js';
import type { AudioUploads } from '../recordings/audio-uploads.js';
import type { LiveEventQueue } from './live-event-queue.js';
import { LivePace, paceClock } from './live-pace.js';
import { LiveRecording } from './live-recording.js';
import type { LiveTranscriber } from './live-transcriber.js';
import type { OpenSessions } from './open-sessions.js';
import { RealtimeSession } from './realtime-session.js';
import { initialSettings } from './session-settings.js';
import { TurnQueue } from './turn-queue.js';

/** A second of base64 is 64 KB at most; clients send less. */
const MESSAGE_BYTES = 512 * 1024;

interface RealtimeParts {
  readonly models: Models;
  readonly transcriber: LiveTranscriber;
  readonly uploads: Pick<AudioUploads, 'send'>;
  readonly events: Pick<LiveEventQueue, 'add'>;
  readonly open: Pick<OpenSessions, 'add'>;
  /** How long the end of a session that is stored waits for the text of each turn. */
  readonly lateSeconds: number;
  readonly log: Logger;
}

/** `/v1/realtime?intent=transcription`: OpenAI's realtime transcription (docs/api.md, Live transcription). */
export class RealtimeEndpoint implements SocketEndpoint {
  readonly path = '/v1/realtime';
  readonly name = 'realtimeTranscription';
  readonly rule = { credential: 'bearer', scope: 'echo:write', rateLimited: true } as const;
  readonly protocols = ['realtime'];
  readonly tokenProtocol = 'openai-insecure-api-key.';
  readonly maxMessageBytes = MESSAGE_BYTES;

  constructor(private readonly parts: RealtimeParts) {}

  /** @throws Conflict, NotFound, Outdated, BadRequest */
  async prepare(request: SocketRequest): Promise<(socket: DomainSocket) => SocketHandler> {
    const { caller, query } = request;
    const intent = query.get('intent');
    if (intent !== null && intent !== 'transcription')
      throw new Conflict('capability_not_supported', 'intent must be transcription.', 'intent');
    const model = query.get('model') ?? undefined;
    if (model !== undefined) await this.checkModel(caller, model);
    const recordingId = query.get('recording_id') ?? undefined;
    const offset = readOffset(query.get('offset'));
    if (offset !== undefined && recordingId === undefined)
      throw new BadRequest('offset goes with recording_id.', 'offset');
    let session: RealtimeSession | undefined;
    const recording = recordingId === undefined ? undefined : this.record(request, recordingId, () => session);
    const storedBytes = await recording?.begin(offset);
    return (socket) => {
      const startBytes = offset ?? storedBytes ?? 0;
      session = this.open(socket, request, { model, recording, recordingId, startBytes });
      if (storedBytes !== undefined)
        session.send('recording.stored', { recording_id: recordingId, bytes: storedBytes });
      return session;
    };
  }

  private checkModel(caller: CallOwner, model: string): Promise<void> {
    return this.parts.models.check(caller, model, 'transcribe');
  }

  private record({ caller, signal }: SocketRequest, recordingId: string, session: () => RealtimeSession | undefined) {
    return new LiveRecording({
      caller,
      uploads: this.parts.uploads,
      recordingId,
      signal,
      stored: (bytes) => session()?.send('recording.stored', { recording_id: recordingId, bytes }),
      delayed: (error) => session()?.sendError(this.storingFailure(error)),
      failed: (error) => session()?.fail(this.storingFailure(error)),
      // It goes on for a while where the socket has ended.
      clock: paceClock(),
    });
  }

  private storingFailure(error: unknown): PlatformError {
    if (error instanceof PlatformError) return error;
    this.parts.log.error({ err: error }, 'the audio of a live session cannot be stored');
    return new Unavailable('The audio cannot be stored.', 5);
  }

  private open(
    socket: DomainSocket,
    { caller, requestId, serverRequestId, signal }: SocketRequest,
    { model, recording, recordingId, startBytes }: OpenedParts,
  ): RealtimeSession {
    const { events, lateSeconds, log, open, transcriber } = this.parts;
    if (recordingId !== undefined) open.add(recordingId, signal);
    const context = { serverRequestId, ...(requestId !== undefined && { requestId }), signal };
    // What has come of a session that is cut off is stored.
    signal.addEventListener('abort', () => void recording?.flush(), { once: true });
    const stored = { events: recording && events, recordingId, lateSeconds };
    const turns = new TurnQueue({ caller, transcriber, context, ...stored, log });
    const pace = new LivePace(paceClock(signal));
    const settings = initialSettings(model);
    const checkModel = (named: string) => this.checkModel(caller, named);
    return new RealtimeSession({ socket, settings, turns, recording, startBytes, pace, checkModel, signal });
  }
}

interface OpenedParts {
  readonly model: string | undefined;
  readonly recording: LiveRecording | undefined;
  readonly recordingId: string | undefined;
  readonly startBytes: number;
}

function readOffset(text: string | null): number | undefined {
  if (text === null) return undefined;
  const offset = Number(text);
  if (/^\d{1,15}$/.test(text)) return offset;
  throw new BadRequest('offset must be a whole number from 0.', 'offset');
}
