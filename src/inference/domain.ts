import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { NotFound } from '../errors.js';
import type { Domain } from '../graph/domain.js';
import type { Backend } from './backend.js';
import { readBackendSettings } from './backend-settings.js';
import { BackendsService } from './backends.service.js';
import { BuiltinBackend } from './builtin-backend.js';
import { ChatResolver } from './chat.resolver.js';
import { ChatService } from './chat.service.js';
import type { CallRecorder } from './chat.service.js';
import { ModelsResolver, modelsRule } from './models.resolver.js';
import { OpenaiBackend } from './openai-backend.js';
import { countTokens } from './tokenizer.js';

/** What inference gives to the other domains. */
export interface Inference extends Domain {
  /** For the health check and the metrics. */
  readonly backends: readonly Pick<Backend, 'id' | 'healthy' | 'inFlight'>[];
  /** Ends every call and every connection. */
  close(): Promise<void>;
}

interface InferenceDependencies {
  readonly config: Config;
  readonly log: Logger;
  readonly metering: CallRecorder;
}

/**
 * Wires the inference domain: backends, models and chat.
 * @throws ConfigError where the backends cannot be used
 */
export function createInference({ config, log, metering }: InferenceDependencies): Inference {
  const settings = readBackendSettings(config, (message) => log.warn(message));
  const backends = settings.map((entry) =>
    entry.kind === 'openai' ? new OpenaiBackend(entry, log) : new BuiltinBackend(entry),
  );
  // Loads the tokenizer now: later it would hold up whatever streams there are.
  void countTokens(['.']);
  const service = new BackendsService(backends);
  return {
    name: 'inference',
    resolvers: [new ModelsResolver(service), new ChatResolver(new ChatService(service, metering, log))],
    references: [
      {
        type: 'Model',
        access: modelsRule,
        resolve: (caller, id) => service.getModel(caller, id).catch(nullIfUnknown),
      },
    ],
    backends,
    close: () => service.close(),
  };
}

/** A reference to what does not exist is null. */
function nullIfUnknown(error: unknown): null {
  if (error instanceof NotFound) return null;
  throw error;
}
