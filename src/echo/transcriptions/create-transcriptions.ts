import type { DomainParts, Host } from '../../domain-module.js';
import type { InferencePorts } from '../../inference/domain.js';
import type { MeteringPorts } from '../../metering/domain.js';
import { OpenAnswers } from './open-answers.js';
import { TranscriptionsResolver } from './transcriptions.resolver.js';
import { TRANSCRIPTION_BLOB, TranscriptionsService } from './transcriptions.service.js';

/** Files that are transcribed at once: `/v1/audio/transcriptions` and `/v1/audio/translations`. */
export function createTranscriptions(
  { audio, blobLinks, config, log, scratch }: Host<object>,
  { models, requireAudioQuota }: Pick<InferencePorts, 'models'> & Pick<MeteringPorts, 'requireAudioQuota'>,
): Pick<DomainParts<object>, 'resolvers' | 'blobReaders'> & { close(): Promise<void> } {
  const answers = new OpenAnswers();
  const { maxUploadBytes: maxBytes } = config;
  const links = blobLinks;
  const parts = { models, audio, scratch, links, answers, maxBytes, log, requireQuota: requireAudioQuota };
  const service = new TranscriptionsService(parts);
  return {
    resolvers: [new TranscriptionsResolver(service)],
    blobReaders: { [TRANSCRIPTION_BLOB]: answers.read },
    close: () => answers.close(),
  };
}
