import type { ByokKey, CallOwner } from '../../access/caller.js';
import type { Backend, ServedModel } from '../backends/backend.js';
import type { BackendRegistry } from '../backends/backend-registry.js';
import type { ModelPoliciesService } from '../models/model-policies.service.js';
import type { TranslationTraits } from './engine.types.js';
import type { TranslationModel } from './translation.types.js';

const ENGINES: readonly TranslationModel['engine'][] = ['libretranslate', 'apertium', 'chat'];

/** Knows which models of a tenant may translate. */
export class TranslationModels {
  constructor(
    private readonly backends: Pick<BackendRegistry, 'visibleTo'>,
    private readonly policies: Pick<ModelPoliciesService, 'allows'>,
  ) {}

  /**
   * Those that the tenant may use, in the order in which they are asked: translation servers, `apertium`, chat models as
   * they are configured. The builtin chat model does not translate.
   * @param byok the caller's own key: only models whose backends take one
   */
  async list({ tenantId }: CallOwner, byok?: ByokKey): Promise<TranslationModel[]> {
    const backends = this.backends.visibleTo(tenantId);
    await Promise.all(backends.filter(({ modelsKnown }) => !modelsKnown).map((backend) => backend.refresh()));
    const models = new Map<string, TranslationModel>();
    for (const backend of byok ? backends.filter(({ takesKeys }) => takesKeys) : backends) {
      for (const model of backend.models) {
        const found = this.policies.allows(tenantId, model.id) && toTranslationModel(backend, model);
        if (!found) continue;
        const key = `${found.engine} ${found.id}`;
        const before = models.get(key);
        models.set(key, before ? merge(before, found) : found);
      }
    }
    return [...models.values()].sort((one, other) => ENGINES.indexOf(one.engine) - ENGINES.indexOf(other.engine));
  }
}

function toTranslationModel(backend: Backend, model: ServedModel): TranslationModel | undefined {
  const { translation, capabilities, id } = model;
  const { maxConcurrency } = backend;
  const common = { id, maxConcurrency };
  if (translation) {
    const isHealthy = backend.reachable && backend.circuit('translate').state === 'closed';
    return { ...common, isHealthy, engine: translation.engine, traits: translation };
  }
  if (!capabilities.includes('chat') || backend.kind === 'builtin') return undefined;
  const isHealthy = backend.reachable && backend.circuit('chat').state === 'closed';
  return { ...common, isHealthy, engine: 'chat', traits: null };
}

/** One model of several backends: what any of them does it does. */
function merge(one: TranslationModel, other: TranslationModel): TranslationModel {
  const { maxConcurrency: first } = one;
  const { maxConcurrency: second } = other;
  return {
    ...one,
    isHealthy: one.isHealthy || other.isHealthy,
    maxConcurrency: first === undefined || second === undefined ? undefined : first + second,
    traits: one.traits && other.traits && mergeTraits(one.traits, other.traits),
  };
}

function mergeTraits(one: TranslationTraits, other: TranslationTraits): TranslationTraits {
  return {
    engine: one.engine,
    pairs: one.pairs.with(other.pairs),
    detects: one.detects && other.detects,
    maxTexts: Math.min(one.maxTexts, other.maxTexts),
    maxCharacters: Math.min(one.maxCharacters, other.maxCharacters),
  };
}
