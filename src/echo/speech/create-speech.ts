import type { TokenReference } from '../../access/caller.js';
import { everyPart } from '../../domain-module.js';
import type { DomainParts, Host } from '../../domain-module.js';
import type { InferencePorts } from '../../inference/domain.js';
import { SpeechOrders } from './speech-orders.js';
import { SpeechResolver } from './speech.resolver.js';
import { SPEECH_BLOB, SpeechService } from './speech.service.js';

/** Texts that are spoken: `/v1/audio/speech` and the voices. */
export function createSpeech(
  { audio, blobLinks, contributions, secretBox, store }: Host<object>,
  { models }: Pick<InferencePorts, 'models'>,
): Pick<DomainParts<object>, 'resolvers' | 'blobReaders'> & { close(): void } {
  const orders = new SpeechOrders(store, secretBox);
  const permitsToken = (token: TokenReference): Promise<boolean> =>
    everyPart(contributions(), (part) => part.permitsToken?.(token));
  const service = new SpeechService({ models, audio, links: blobLinks, orders, permitsToken });
  return {
    resolvers: [new SpeechResolver(service)],
    blobReaders: { [SPEECH_BLOB]: service.read },
    close: () => orders.close(),
  };
}
