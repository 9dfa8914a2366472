import type { DomainParts, Host } from '../../domain-module.js';
import type { InferencePorts } from '../../inference/domain.js';
import { OpenAnswers } from './open-answers.js';
import { TranscriptionsResolver } from './transcriptions.resolver.js';
import { TRANSCRIPTION_BLOB, TranscriptionsService } from './transcriptions.service.js';

/** Files that are transcribed at once: `/v1/audio/transcriptions` and `/v1/audio/translations`. */
export function createTranscriptions(
  { audio, blobLinks, config, log, scratch }: Host<object>,
  { models }: Pick<InferencePorts, 'models'>,
): Pick<DomainParts<object>, 'resolvers' | 'blobReaders'> & { close(): Promise<void> } {
  const answers = new OpenAnswers();
  const { maxUploadBytes: maxBytes } = config;
  const service = new TranscriptionsService({ models, audio, scratch, links: blobLinks, answers, maxBytes, log });
  return {
    resolvers: [new TranscriptionsResolver(service)],
    blobReaders: { [TRANSCRIPTION_BLOB]: answers.read },
    close: () => answers.close(),
  };
}
