import type { EntityManager } from 'typeorm';
import type { Host } from '../../domain-module.js';
import { byId } from '../../graph/domain.js';
import { entityLoader } from '../../graph/request-loader.js';
import type { MeteringPorts } from '../../metering/domain.js';
import { detectAudio } from '../../platform/audio/detect-audio.js';
import { ChangeNotifier } from '../../platform/cluster/change-notifier.js';
import type { EchoConfig } from '../config.js';
import { ERASE_JOB, RecordingErasure } from '../erasure/recording-erasure.js';
import { beginRun } from '../pipeline/transcription-job.js';
import { AudioPieces } from './audio-pieces.js';
import { AudioUploads } from './audio-uploads.js';
import { AudioWriter } from './audio-writer.js';
import { RecordingAudioResolver } from './recording-audio.resolver.js';
import { RecordingGauges } from './recording-gauges.js';
import type { Recording } from './recording.entity.js';
import { readRule, RecordingResolver } from './recording.resolver.js';
import { RecordingsService } from './recordings.service.js';

const COUNT_MS = 60_000;

/** The ports of earlier domains that recordings use. */
export type RecordingNeeds = Pick<MeteringPorts, 'storageLimits' | 'storageChanged'>;

/** Recordings: what people do with them, and how their audio is stored. */
export function createRecordings(host: Host<EchoConfig>, ports: RecordingNeeds) {
  const { audit, blobLinks: links, blobs, config, database, jobs, topics } = host;
  const { dataSource } = database;
  const { storageLimits, storageChanged } = ports;
  const maxBytes = config.echoMaxRecordingBytes;
  const notifier = new ChangeNotifier(topics, 'echo');
  const { changed } = notifier;
  const erasure = new RecordingErasure({ dataSource, jobs, blobs, changed });
  const pieces = new AudioPieces({ dataSource, blobs });
  const writer = new AudioWriter({ dataSource, blobs, storageLimits, detect: detectAudio, maxBytes, changed });
  const transcribe = (tx: EntityManager, recording: Recording): Promise<void> => beginRun(tx, jobs, recording);
  const uploads = new AudioUploads({
    dataSource,
    audit,
    writer,
    pieces,
    maxBytes,
    storageChanged,
    changed,
    transcribe,
  });
  const recordings = new RecordingsService({ dataSource, audit, links, pieces, erasure, notifier });
  const counts = new RecordingGauges(dataSource);
  return {
    pieces,
    notifier,
    uploads,
    transcribe,
    resolvers: [new RecordingResolver(recordings), new RecordingAudioResolver(uploads)],
    references: [
      {
        type: 'Recording',
        access: readRule,
        resolve: byId(entityLoader((caller, ids) => recordings.find(caller, ids))),
      },
    ],
    gauges: counts.gauges,
    tasks: [{ name: 'counting recordings', intervalMs: COUNT_MS, run: () => counts.refresh() }],
    jobHandlers: { [ERASE_JOB]: erasure.handler },
    blobReaders: recordings.blobReaders,
    eraseUser: erasure.eraseUser,
    eraseTenant: erasure.eraseTenant,
    close: async () => notifier.close(),
  };
}
