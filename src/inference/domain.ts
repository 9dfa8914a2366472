import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { byId } from '../graph/domain.js';
import type { Domain } from '../graph/domain.js';
import { entityLoader } from '../graph/request-loader.js';
import type { TenantDirectory } from '../identity/domain.js';
import type { Database } from '../platform/database/database.js';
import type { SecretBox } from '../platform/crypto/secret-box.js';
import type { Topics } from '../platform/cluster/topics.js';
import type { Backend } from './backends/backend.js';
import { ChatResolver } from './completions/chat.resolver.js';
import { CHAT } from './completions/chat.operation.js';
import { CompletionService } from './completions/completion.service.js';
import { COMPLETIONS } from './completions/completions.operation.js';
import { CompletionsResolver } from './completions/completions.resolver.js';
import type { CallRecorder } from './calls/call-start.js';
import type { SealedStore } from '../platform/cluster/sealed-store.js';
import { EmbeddingsResolver } from './embeddings/embeddings.resolver.js';
import { EmbeddingsService } from './embeddings/embeddings.service.js';
import { RoutePlanner } from './backends/routing/route-planner.js';
import { ModelPolicyResolver } from './models/model-policy.resolver.js';
import { ModelsResolver, modelsRule } from './models/models.resolver.js';
import { ResponseContexts } from './responses/response-contexts.js';
import { ResponsesResolver } from './responses/responses.resolver.js';
import { ResponsesService } from './responses/responses.service.js';
import { RuntimeBackendResolver } from './backends/runtime/runtime-backend.resolver.js';
import { countTokens } from './calls/tokenizer.js';
import { createBackendManagement } from './backends/backend-management.js';

/** What inference gives to the other domains. */
export interface Inference extends Domain {
  /** For the health check and the metrics. */
  readonly backends: readonly Pick<Backend, 'id' | 'tenantId' | 'healthy' | 'inFlight' | 'models'>[];
  /** Ends every call and every connection. */
  close(): Promise<void>;
}

interface InferenceDependencies {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly topics: Topics;
  readonly tenants: TenantDirectory;
  readonly metering: CallRecorder;
  /** Where contexts of responses are kept. */
  readonly store: SealedStore;
}

/**
 * Wires the inference domain: backends, models and who may use them, and what they answer.
 * @throws ConfigError where the backends cannot be used
 */
export async function createInference(dependencies: InferenceDependencies): Promise<Inference> {
  const { log, secretBox, metering } = dependencies;
  const management = await createBackendManagement(dependencies);
  const { registry, policies, service, health } = management;
  const conceal = (tenantId: string, text: string): string =>
    secretBox.mac('affinity', tenantId, text).toString('base64');
  const planner = new RoutePlanner(service, conceal);
  const contexts = new ResponseContexts(dependencies.store, log);
  // Loads the tokenizer now: later it would hold up whatever streams there are.
  countTokens(['.']).catch((error: unknown) => log.error({ err: error }, 'the tokenizer cannot be loaded'));
  return {
    name: 'inference',
    resolvers: [
      new ModelsResolver(service, health),
      new ModelPolicyResolver(policies),
      new RuntimeBackendResolver(management.runtime),
      new ChatResolver(new CompletionService(CHAT, planner, metering, log)),
      new CompletionsResolver(new CompletionService(COMPLETIONS, planner, metering, log)),
      new EmbeddingsResolver(new EmbeddingsService(planner, metering, log)),
      new ResponsesResolver(new ResponsesService({ planner, contexts, recorder: metering, log })),
    ],
    references: [
      {
        type: 'Model',
        access: modelsRule,
        resolve: byId(entityLoader((caller, ids) => service.findModels(caller, ids))),
      },
    ],
    get backends() {
      return registry.all;
    },
    close: () => management.close(),
  };
}
