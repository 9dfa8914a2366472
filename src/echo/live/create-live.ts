import type { EntityManager } from 'typeorm';
import type { DomainParts, Host } from '../../domain-module.js';
import type { InferencePorts } from '../../inference/domain.js';
import type { ChangeNotifier } from '../../platform/cluster/change-notifier.js';
import type { EchoConfig } from '../config.js';
import type { AudioUploads } from '../recordings/audio-uploads.js';
import type { Recording } from '../recordings/recording.entity.js';
import { AbandonedSessions } from './abandoned-sessions.js';
import { LiveEventQueue } from './live-event-queue.js';
import { LiveEvents } from './live-events.js';
import { LiveTranscriber } from './live-transcriber.js';
import { OpenSessions } from './open-sessions.js';
import { RealtimeEndpoint } from './realtime-endpoint.js';
import { TranscriptionStreamResolver } from './transcription-stream.resolver.js';

/** How long viewers miss at most what a lost message has told of. */
const MISSED_MS = 5_000;
/** How often recordings are looked for that nobody goes on with. */
const ABANDONED_MS = 60_000;
/** How often open sessions say that they are: several times within the shortest `ECHO_LIVE_IDLE_MINUTES`. */
const OPEN_MS = 15_000;

/** What live transcription needs of recordings. */
interface LiveNeeds {
  readonly uploads: Pick<AudioUploads, 'send'>;
  readonly notifier: Pick<ChangeNotifier, 'changed' | 'listen'>;
  readonly transcribe: (tx: EntityManager, recording: Recording) => Promise<void>;
}

/** Live transcription: `/v1/realtime`, and those who watch. */
export function createLive(
  { audio, audit, config, database, log, scratch }: Host<EchoConfig>,
  { models }: Pick<InferencePorts, 'models'>,
  { uploads, notifier, transcribe }: LiveNeeds,
): Pick<DomainParts<object>, 'resolvers' | 'socketEndpoints'> &
  Pick<Required<DomainParts<object>>, 'tasks'> & {
    close(): Promise<void>;
  } {
  const { dataSource } = database;
  const events = new LiveEvents(dataSource, notifier);
  const queue = new LiveEventQueue({ events, log });
  const { changed } = notifier;
  const { echoLiveIdleMinutes: idleMinutes, echoLiveLateSeconds: lateSeconds } = config;
  const abandoned = new AbandonedSessions({ dataSource, audit, transcribe, changed, idleMinutes });
  const open = new OpenSessions(dataSource);
  const transcriber = new LiveTranscriber({ models, audio, scratch });
  return {
    resolvers: [new TranscriptionStreamResolver(events)],
    socketEndpoints: [new RealtimeEndpoint({ models, transcriber, uploads, events: queue, open, lateSeconds, log })],
    tasks: [
      { name: 'looking for events of live transcriptions', intervalMs: MISSED_MS, run: () => events.feeds.refresh() },
      { name: 'keeping recordings of open live sessions', intervalMs: OPEN_MS, run: () => open.touch() },
      { name: 'ending recordings of abandoned live sessions', intervalMs: ABANDONED_MS, run: () => abandoned.end() },
    ],
    close: async () => {
      events.feeds.close();
      await queue.close();
    },
  };
}
