import type { DomainModule, DomainParts, Host } from '../domain-module.js';
import type { InferencePorts } from '../inference/domain.js';
import type { MeteringPorts } from '../metering/domain.js';
import { echoConfig } from './config.js';
import type { EchoConfig } from './config.js';
import { WatchedBacklog } from '../platform/jobs/watched-backlog.js';
import { EchoHealthResolver } from './health/echo-health.resolver.js';
import { createLive } from './live/create-live.js';
import { LiveEvent } from './live/live-event.entity.js';
import { LiveEvents1795472000000 } from './migrations/1795472000000-live-events.js';
import { LiveAudio1795478400000 } from './migrations/1795478400000-live-audio.js';
import { Recordings1795471200000 } from './migrations/1795471200000-recordings.js';
import { RecordingUpdates1795924800000 } from './migrations/1795924800000-recording-updates.js';
import { UnknownDuration1795489200000 } from './migrations/1795489200000-unknown-duration.js';
import { Transcripts1795474800000 } from './migrations/1795474800000-transcripts.js';
import { TRANSCRIPTION_JOB } from './pipeline/transcription-job.js';
import { createTranscription } from './pipeline/create-transcription.js';
import { TranscriptionChunk } from './pipeline/transcription-chunk.entity.js';
import { TranscriptionRun } from './pipeline/transcription-run.entity.js';
import { createRecordings } from './recordings/create-recordings.js';
import { RecordingPiece } from './recordings/recording-piece.entity.js';
import { RecordedTranscript } from './results/transcript.entity.js';
import { RecordedSegment } from './results/transcript-segment.entity.js';
import { Recording } from './recordings/recording.entity.js';
import { createSpeech } from './speech/create-speech.js';
import { createTranscriptions } from './transcriptions/create-transcriptions.js';

const COUNT_MS = 30_000;

/** The ports of earlier domains that recordings and speech use. */
type EchoNeeds = InferencePorts & Pick<MeteringPorts, 'requireAudioQuota' | 'storageChanged' | 'storageLimits'>;

/** Recordings, what was said in them, and speech. */
export const echo: DomainModule<typeof echoConfig, EchoNeeds, object> = {
  name: 'echo',
  config: echoConfig,
  entities: [
    Recording,
    RecordingPiece,
    TranscriptionRun,
    TranscriptionChunk,
    RecordedTranscript,
    RecordedSegment,
    LiveEvent,
  ],
  migrations: [
    Recordings1795471200000,
    LiveEvents1795472000000,
    Transcripts1795474800000,
    LiveAudio1795478400000,
    UnknownDuration1795489200000,
    RecordingUpdates1795924800000,
  ],
  create: createEcho,
};

async function createEcho(host: Host<EchoConfig>, ports: EchoNeeds): Promise<DomainParts<object>> {
  const { pieces, notifier, uploads, transcribe, ...recordings } = createRecordings(host, ports);
  const transcription = createTranscription(host, ports, { pieces, notifier });
  const speech = createSpeech(host, ports);
  const transcriptions = createTranscriptions(host, ports);
  const live = createLive(host, ports, { uploads, notifier, transcribe });
  const backlog = new WatchedBacklog(host.jobRecords, {
    kind: TRANSCRIPTION_JOB,
    metric: 'platform_transcription',
    what: 'transcriptions of recordings',
  });
  const { models } = ports;
  const health = { resolvers: [new EchoHealthResolver({ models, audio: host.audio, backlog })] };
  const parts = [recordings, transcription, speech, transcriptions, live, health];
  return {
    ...recordings,
    gauges: [...recordings.gauges, backlog.countGauge, backlog.oldestGauge],
    health: { transcriptions: backlog.check },
    resolvers: parts.flatMap(({ resolvers }) => resolvers),
    tasks: [
      ...recordings.tasks,
      ...transcription.tasks,
      ...live.tasks,
      { name: 'counting transcriptions', intervalMs: COUNT_MS, run: async () => void (await backlog.read()) },
    ],
    jobHandlers: { ...recordings.jobHandlers, ...transcription.jobHandlers },
    socketEndpoints: live.socketEndpoints,
    blobReaders: {
      ...recordings.blobReaders,
      ...transcription.blobReaders,
      ...speech.blobReaders,
      ...transcriptions.blobReaders,
    },
    ports: {},
    close: async () => {
      await live.close();
      speech.close();
      await transcriptions.close();
      await recordings.close();
    },
  };
}
