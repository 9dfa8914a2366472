import { pino } from 'pino';
import type { Logger } from 'pino';
import { isLoopback } from '../config.js';
import type { Config } from '../config.js';
import { NotFound } from '../errors.js';
import type { Domain } from '../graph/domain.js';
import { publicAddresses } from '../platform/address-rule.js';
import type { Database } from '../platform/database.js';
import { repeat } from '../platform/periodic.js';
import type { Periodic } from '../platform/periodic.js';
import type { Redis } from '../platform/redis.js';
import type { SecretBox } from '../platform/secret-box.js';
import type { Topics } from '../platform/topics.js';
import type { Backend } from './backend.js';
import { BackendDiscovery } from './backend-discovery.js';
import { BackendHealthService } from './backend-health.service.js';
import { BackendRegistry } from './backend-registry.js';
import { readBackendSettings } from './backend-settings.js';
import type { BackendSettings } from './backend-settings.js';
import { BackendsService } from './backends.service.js';
import { BuiltinBackend } from './builtin-backend.js';
import { ChatResolver } from './chat.resolver.js';
import { CHAT } from './chat.operation.js';
import { ChoicesService } from './choices.service.js';
import { COMPLETIONS } from './completions.operation.js';
import { CompletionsResolver } from './completions.resolver.js';
import type { CallRecorder } from './calls.js';
import { MemoryContextStore, RedisContextStore } from './context-store.js';
import { EmbeddingsResolver } from './embeddings.resolver.js';
import { EmbeddingsService } from './embeddings.service.js';
import { Dispatcher } from './dispatcher.js';
import { ModelPoliciesService } from './model-policies.service.js';
import { ModelPolicyResolver } from './model-policy.resolver.js';
import { ModelsResolver, modelsRule } from './models.resolver.js';
import { OpenaiBackend } from './openai-backend.js';
import { ResponseContexts } from './response-contexts.js';
import { ResponsesResolver } from './responses.resolver.js';
import { ResponsesService } from './responses.service.js';
import { RuntimeBackendResolver } from './runtime-backend.resolver.js';
import { RuntimeBackendsService } from './runtime-backends.service.js';
import { StoredBackends } from './stored-backends.js';
import { countTokens } from './tokenizer.js';

const POLL_MS = 1_000;
const DISCOVERY_MS = 30_000;

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
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly topics: Topics;
  readonly metering: CallRecorder;
  /** Undefined: contexts of responses are in this process's memory. */
  readonly redis?: Redis;
}

/**
 * Wires the inference domain: backends, models and who may use them, and what they answer.
 * @throws ConfigError where the backends cannot be used
 */
export async function createInference(dependencies: InferenceDependencies): Promise<Inference> {
  const { config, log, secretBox, metering, redis } = dependencies;
  const management = await createManagement(dependencies);
  const { registry, policies, service, health } = management;
  const conceal = (tenantId: string, text: string): string =>
    secretBox.mac('affinity', tenantId, text).toString('base64');
  const dispatcher = new Dispatcher(service, conceal);
  const store = redis ? new RedisContextStore(redis) : new MemoryContextStore(config.responseContextBytes);
  const contexts = new ResponseContexts(store, log);
  // Loads the tokenizer now: later it would hold up whatever streams there are.
  void countTokens(['.']);
  return {
    name: 'inference',
    resolvers: [
      new ModelsResolver(service, health),
      new ModelPolicyResolver(policies),
      new RuntimeBackendResolver(management.runtime),
      new ChatResolver(new ChoicesService(CHAT, dispatcher, metering, log)),
      new CompletionsResolver(new ChoicesService(COMPLETIONS, dispatcher, metering, log)),
      new EmbeddingsResolver(new EmbeddingsService(dispatcher, metering, log)),
      new ResponsesResolver(new ResponsesService({ dispatcher, contexts, recorder: metering, log })),
    ],
    references: [
      {
        type: 'Model',
        access: modelsRule,
        resolve: (caller, id) => service.getModel(caller, id).catch(nullIfUnknown),
      },
    ],
    get backends() {
      return registry.all;
    },
    close: () => management.close(),
  };
}

/** The backends of the configuration, of the database and of this machine, and what keeps them up to date. */
async function createManagement({ config, log, database, secretBox, topics }: InferenceDependencies) {
  const { dataSource } = database;
  const settings = readBackendSettings(config);
  const healthChanged = (backend: Backend): void => health.changed(backend);
  const registry = new BackendRegistry(
    settings.map((entry) =>
      entry.kind === 'openai' ? new OpenaiBackend(entry, log, { healthChanged }) : new BuiltinBackend(entry),
    ),
  );
  const policies = new ModelPoliciesService(dataSource);
  const service = new BackendsService(registry, policies);
  const health = new BackendHealthService(topics, registry, service);
  const tenantAddresses = publicAddresses(config.egressAllow);
  const stored = new StoredBackends({ dataSource, secretBox, registry, tenantAddresses, healthChanged, log });
  const runtime = new RuntimeBackendsService({ dataSource, stored, registry, tenantAddresses });
  const poll = async (): Promise<void> => void (await Promise.all([policies.poll(), stored.sync()]));
  const tasks: Periodic[] = [];

  await policies.load();
  await stored.sync();
  // The embedded database has no other replica.
  if (!database.embedded) tasks.push(repeat('polling backends and model policies', POLL_MS, log, poll));
  if (config.discoverBackends) {
    const takenPorts = new Set([config.port, ...settings.flatMap(portOf)]);
    const discovery = new BackendDiscovery({ registry, takenPorts, healthChanged, log, silentLog });
    tasks.push(repeat('looking for model servers', DISCOVERY_MS, log, () => discovery.look()));
    await discovery.look();
  }
  const close = async (): Promise<void> => {
    await Promise.all(tasks.map((task) => task.stop()));
    await registry.close();
  };
  return { registry, policies, service, health, runtime, close };
}

const silentLog = pino({ level: 'silent' });

/** The port of a configured server on this machine. */
function portOf(settings: BackendSettings): number[] {
  if (settings.kind !== 'openai') return [];
  const { hostname, port } = new URL(settings.base_url);
  return isLoopback(hostname.replace(/^\[|\]$/g, '')) ? [Number(port)] : [];
}

/** A reference to what does not exist is null. */
function nullIfUnknown(error: unknown): null {
  if (error instanceof NotFound) return null;
  throw error;
}
