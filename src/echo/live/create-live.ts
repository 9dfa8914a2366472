import type { DomainParts, Host } from '../../domain-module.js';
import type { InferencePorts } from '../../inference/domain.js';
import type { ChangeNotifier } from '../../platform/cluster/change-notifier.js';
import type { AudioUploads } from '../recordings/audio-uploads.js';
import { LiveEvents } from './live-events.js';
import { LiveTranscriber } from './live-transcriber.js';
import { RealtimeEndpoint } from './realtime-endpoint.js';
import { TranscriptionStreamResolver } from './transcription-stream.resolver.js';

/** How long viewers miss at most what a lost message has told of. */
const MISSED_MS = 5_000;

/** What live transcription needs of recordings. */
interface LiveNeeds {
  readonly uploads: Pick<AudioUploads, 'send'>;
  readonly notifier: Pick<ChangeNotifier, 'changed' | 'listen'>;
}

/** Live transcription: `/v1/realtime`, and those who watch. */
export function createLive(
  { audio, database, log, scratch }: Host<object>,
  { models }: Pick<InferencePorts, 'models'>,
  { uploads, notifier }: LiveNeeds,
): Pick<DomainParts<object>, 'resolvers' | 'socketEndpoints'> &
  Pick<Required<DomainParts<object>>, 'tasks'> & {
    close(): void;
  } {
  const events = new LiveEvents(database.dataSource, notifier);
  const transcriber = new LiveTranscriber({ models, audio, scratch });
  return {
    resolvers: [new TranscriptionStreamResolver(events)],
    socketEndpoints: [new RealtimeEndpoint({ models, transcriber, uploads, events, log })],
    tasks: [
      { name: 'looking for events of live transcriptions', intervalMs: MISSED_MS, run: () => events.feeds.refresh() },
    ],
    close: () => events.feeds.close(),
  };
}
