import { permitsOf } from '../../domain-module.js';
import type { Host } from '../../domain-module.js';
import type { InferencePorts } from '../../inference/domain.js';
import type { ChangeNotifier } from '../../platform/cluster/change-notifier.js';
import type { AudioPieces } from '../recordings/audio-pieces.js';
import { TranscriptResolver } from '../results/transcript.resolver.js';
import { TranscriptStore } from '../results/transcript-store.js';
import { TranscriptWriter } from '../results/transcript-writer.js';
import { TranscriptsService } from '../results/transcripts.service.js';
import { AbandonedRuns } from './abandoned-runs.js';
import { RunAudioReader } from './run-audio.js';
import { SpeakerTeller } from './speaker-teller.js';
import { TRANSCRIPTION_JOB } from './transcription-job.js';
import { TranscriptionJobs } from './transcription-jobs.js';

const ABANDONED_MS = 60_000;

/** What recordings give to their transcription. */
interface TranscriptionNeeds {
  readonly pieces: AudioPieces;
  readonly notifier: ChangeNotifier;
}

/** How recordings become transcripts, and how these are fetched. */
export function createTranscription(
  { audio, audit, blobLinks: links, contributions, database, jobs, scratch }: Host<object>,
  { models }: Pick<InferencePorts, 'models'>,
  { pieces, notifier }: TranscriptionNeeds,
) {
  const { dataSource } = database;
  const { changed } = notifier;
  const store = new TranscriptStore(dataSource);
  const writer = new TranscriptWriter(dataSource);
  const speakers = new SpeakerTeller(audio.children);
  const permits = permitsOf(contributions);
  const common = { dataSource, audit, jobs, models, store };
  const reader = new RunAudioReader({ pieces, audio });
  const runs = new TranscriptionJobs({ ...common, audio: reader, scratch, speakers, permits, changed });
  const transcripts = new TranscriptsService({ ...common, links, writer, notifier });
  const abandoned = new AbandonedRuns({ dataSource, audit, changed });
  return {
    resolvers: [new TranscriptResolver(transcripts)],
    tasks: [{ name: 'ending recordings whose jobs are over', intervalMs: ABANDONED_MS, run: () => abandoned.end() }],
    jobHandlers: { [TRANSCRIPTION_JOB]: runs.handler },
    blobReaders: transcripts.blobReaders,
  };
}
