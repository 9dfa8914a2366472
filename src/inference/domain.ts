import type { DomainModule, DomainParts, Host } from '../domain-module.js';
import { byId } from '../graph/domain.js';
import { entityLoader } from '../graph/request-loader.js';
import type { TenantDirectory } from '../identity/domain.js';
import { createBackendManagement } from './backends/backend-management.js';
import { backendGauges, checkBackends, checkSpeech, checkTranslation } from './backends/backend-status.js';
import { RoutePlanner } from './backends/routing/route-planner.js';
import { RuntimeBackendResolver } from './backends/runtime/runtime-backend.resolver.js';
import { StoredBackend } from './backends/runtime/stored-backend.entity.js';
import { sealedBackends } from './backends/runtime/stored-backends.js';
import { CallMetrics, InstrumentedCallRecorder } from './calls/call-telemetry.js';
import type { CallRecorder } from './calls/model-call.js';
import { Models } from './calls/models.js';
import { countTokens } from './calls/tokenizer.js';
import { ChatResolver } from './completions/chat.resolver.js';
import { CompletionsResolver } from './completions/completions.resolver.js';
import { inferenceConfig } from './config.js';
import type { InferenceConfig } from './config.js';
import { EmbeddingsResolver } from './embeddings/embeddings.resolver.js';
import { Inference1795298571233 } from './migrations/1795298571233-inference.js';
import { CallersKeys1795921200000 } from './migrations/1795921200000-callers-keys.js';
import { ModelPolicy } from './models/model-policy.entity.js';
import { ModelPolicyResolver } from './models/model-policy.resolver.js';
import { ModelsResolver, modelsRule } from './models/models.resolver.js';
import { ResponseContexts } from './responses/response-contexts.js';
import { ResponsesResolver } from './responses/responses.resolver.js';
import { ResponsesService } from './responses/responses.service.js';
import { SpeechModels } from './speech/speech-models.js';
import { TranslationModels } from './translation/translation-models.js';

export { indexOf } from './calls/answer-pieces.js';
export type { CallContext, ExchangeType, ModelCall, Upstream } from './calls/model-call.js';
export type { Models } from './calls/models.js';
export { fencePassages, keepPassages, newFenceKey } from './calls/passage-fence.js';
export { writeWhole } from './calls/text-transform.js';
export type { AnswerText, TextEdit, TextEdits, TextFormat, TextTransform } from './calls/text-transform.js';
export { BUILTIN_CHAT_MODEL } from './builtin/builtin-backend.js';
export { CHAT } from './completions/chat.operation.js';
export {
  ChatCompletion,
  ChatCompletionChunk,
  toChatCompletion,
  toChatCompletionChunk,
} from './completions/chat.types.js';
export { ChunkStreamCodec } from './completions/chunk-stream-codec.js';
export { CompletionExchange } from './completions/completion-exchange.js';
export { requireNoRefusal } from './completions/first-refusal.js';
export { heardSeconds } from './speech/transcript-answer.js';
export { transformTranscript } from './speech/transcript-texts.js';
export { isEnd } from './completions/finish-reason.js';
export type { EngineTranslation, TranslationTraits } from './translation/engine.types.js';
export type { TranslationModel } from './translation/translation.types.js';
export { textOf } from './calls/prompt.js';
export type { ChunkTransform } from './streaming/chunk-transform.js';

/** The ports of earlier domains that inference uses. */
interface InferenceNeeds {
  /** Where calls of models are recorded. */
  readonly calls: CallRecorder;
  readonly tenants: TenantDirectory;
}

/** What inference gives to later domains. */
export interface InferencePorts {
  /** The one way to a model, whoever asks it. */
  readonly models: Models;
  /** How many tokens a text has, about: of the tokenizer that the builtin model uses. */
  countTokens(text: string): Promise<number>;
}

/** Backends, models and who may use them, and what they answer. */
export const inference: DomainModule<typeof inferenceConfig, InferenceNeeds, InferencePorts> = {
  name: 'inference',
  config: inferenceConfig,
  entities: [ModelPolicy, StoredBackend],
  migrations: [Inference1795298571233, CallersKeys1795921200000],
  sealed: [sealedBackends],
  create: createInference,
};

/** @throws ConfigError where the backends cannot be used */
async function createInference(
  host: Host<InferenceConfig>,
  ports: InferenceNeeds,
): Promise<DomainParts<InferencePorts>> {
  const { log, secretBox, metrics, tracing } = host;
  const { registry, policies, service, health, runtime, tasks } = await createBackendManagement(host, ports.tenants);
  const callMetrics = new CallMetrics(metrics, () => registry.all);
  const recorder = new InstrumentedCallRecorder({
    recorder: ports.calls,
    metrics: callMetrics,
    tracing,
  });
  const hashAffinityKey = (tenantId: string, text: string): string =>
    secretBox.mac('affinity', tenantId, text).toString('base64');
  const models = new Models({
    planner: new RoutePlanner(registry, policies, hashAffinityKey),
    recorder,
    speech: new SpeechModels(registry, policies),
    translation: new TranslationModels(registry, policies),
    log,
  });
  const contexts = new ResponseContexts(host.store, log);
  // Loads the tokenizer now: later it would hold up whatever streams there are.
  countTokens(['.']).catch((error: unknown) => log.error({ err: error }, 'the tokenizer cannot be loaded'));
  return {
    resolvers: [
      new ModelsResolver(service, health),
      new ModelPolicyResolver(policies),
      new RuntimeBackendResolver(runtime),
      new ChatResolver(models),
      new CompletionsResolver(models),
      new EmbeddingsResolver(models),
      new ResponsesResolver(new ResponsesService(models, contexts)),
    ],
    references: [
      {
        type: 'Model',
        access: modelsRule,
        resolve: byId(entityLoader((caller, ids) => service.findModels(caller, ids))),
      },
    ],
    gauges: backendGauges(registry),
    health: {
      backends: () => checkBackends(registry),
      speech: () => checkSpeech(registry),
      translation: () => checkTranslation(registry),
    },
    tasks,
    ports: { models, countTokens: (text) => countTokens([text]) },
    close: () => registry.close(),
  };
}
