import type { Caller } from '../../access/caller.js';
import type { Backend, ServedModel } from './backend.js';
import { unknownModel } from './backend-registry.js';
import type { BackendRegistry } from './backend-registry.js';
import type { BackendInstance, Model } from '../models/model.types.js';
import type { ModelPoliciesService } from '../models/model-policies.service.js';

/** Which backends there are for a caller, and which models they serve. */
export class BackendsService {
  constructor(
    private readonly registry: BackendRegistry,
    private readonly policies: Pick<ModelPoliciesService, 'allows'>,
  ) {}

  /** Every backend that serves the caller's tenant (docs/api.md, Backends). */
  async listBackends(caller: Caller): Promise<BackendInstance[]> {
    const backends = this.registry.visibleTo(caller.tenantId);
    await askUnknown(backends);
    return backends.map((backend) => this.describe(caller, backend));
  }

  /** A backend as the caller sees it. */
  describe(caller: Caller, backend: Backend): BackendInstance {
    const models = backend.models.filter(({ id }) => this.policies.allows(caller.tenantId, id));
    return {
      id: backend.id,
      backend: backend.name,
      provider: backend.provider,
      supports: [...backend.supports],
      models: models.map(({ id }) => id),
      healthy: backend.healthy,
      latencyMs: backend.latencyMilliseconds,
      inFlight: backend.inFlight,
    };
  }

  /** Every model that the tenant may use, once, in the order of the backends (docs/api.md, Models). */
  async listModels(caller: Caller): Promise<Model[]> {
    const backends = this.registry.visibleTo(caller.tenantId);
    await askUnknown(backends);
    const models = new Map<string, ServedModel>();
    for (const backend of backends) {
      for (const model of backend.models) if (!models.has(model.id)) models.set(model.id, model);
    }
    return [...models.values()].filter(({ id }) => this.policies.allows(caller.tenantId, id)).map(toModel);
  }

  /** Those of the models that the tenant may use. */
  async findModels(caller: Caller, ids: readonly string[]): Promise<Model[]> {
    const wanted = new Set(ids);
    return (await this.listModels(caller)).filter(({ id }) => wanted.has(id));
  }

  /** @throws NotFound `model_not_found`, also for a model that the tenant may not use; BadUpstream as `routes` of the registry does */
  async getModel(caller: Caller, id: string): Promise<Model> {
    const [{ model }] = await this.registry.routes(caller.tenantId, id);
    if (!this.policies.allows(caller.tenantId, id)) throw unknownModel(id);
    return toModel(model);
  }
}

async function askUnknown(backends: readonly Backend[]): Promise<void> {
  await Promise.all(backends.filter((backend) => !backend.modelsKnown).map((backend) => backend.refresh()));
}

function toModel({ id, created, ownedBy, capabilities }: ServedModel): Model {
  return { id, object: 'model', created, ownedBy, capabilities: [...capabilities] };
}
