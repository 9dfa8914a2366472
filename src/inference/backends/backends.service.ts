import { BadUpstream, Conflict, NotFound } from '../../errors.js';
import type { Caller } from '../../access/caller.js';
import type { Backend, ServedModel } from './backend.js';
import type { BackendRegistry } from './backend-registry.js';
import type { BackendInstance, Model } from '../models/model.types.js';

/** A model together with a backend that serves it. */
export interface Route {
  readonly backend: Backend;
  readonly model: ServedModel;
}

/** Which models a tenant may use. */
export interface ModelRules {
  allows(tenantId: string, model: string): boolean;
}

/** Which backends there are for a caller, and which models they serve. */
export class BackendsService {
  constructor(
    private readonly registry: BackendRegistry,
    private readonly rules: ModelRules,
  ) {}

  /** Every backend that serves the caller's tenant (docs/api.md, Backends). */
  async listBackends(caller: Caller): Promise<BackendInstance[]> {
    const backends = this.registry.visibleTo(caller.tenantId);
    await askUnknown(backends);
    return backends.map((backend) => this.describe(caller, backend));
  }

  /** A backend as the caller sees it. */
  describe(caller: Caller, backend: Backend): BackendInstance {
    const models = backend.models.filter(({ id }) => this.rules.allows(caller.tenantId, id));
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
    return [...models.values()].filter(({ id }) => this.rules.allows(caller.tenantId, id)).map(toModel);
  }

  /** Those of the models that the tenant may use. */
  async findModels(caller: Caller, ids: readonly string[]): Promise<Model[]> {
    const wanted = new Set(ids);
    return (await this.listModels(caller)).filter(({ id }) => wanted.has(id));
  }

  /** @throws NotFound `model_not_found`, also for a model that the tenant may not use; BadUpstream as `routes` does */
  async getModel(caller: Caller, id: string): Promise<Model> {
    const [{ model }] = await this.find(caller, id);
    if (!this.rules.allows(caller.tenantId, id)) throw unknownModel(id);
    return toModel(model);
  }

  /**
   * Finds the backends that serve a model, at least one. An unknown model makes backends be asked for theirs again, so
   * that the order in which servers start does not matter.
   * @throws NotFound `model_not_found`, Conflict `model_not_allowed`, or BadUpstream where a backend never told its models
   */
  async routes(caller: Caller, id: string): Promise<readonly [Route, ...Route[]]> {
    const routes = await this.find(caller, id);
    this.requireAllowed(caller, id);
    return routes;
  }

  /**
   * Finds what one backend serves a model with.
   * @returns undefined where the backend is not there, null where it does not serve the model
   * @throws Conflict `model_not_allowed`
   */
  routeAt(caller: Caller, backendId: string, id: string): Route | null | undefined {
    this.requireAllowed(caller, id);
    const backend = this.registry.visibleTo(caller.tenantId).find((entry) => entry.id === backendId);
    return backend && (routeOf(backend, id) ?? null);
  }

  private async find(caller: Caller, id: string): Promise<readonly [Route, ...Route[]]> {
    const backends = this.registry.visibleTo(caller.tenantId);
    const known = routesOf(backends, id);
    if (known) return known;
    await Promise.all(backends.map((backend) => backend.refresh()));
    const found = routesOf(backends, id);
    if (found) return found;
    if (backends.some((backend) => !backend.modelsKnown)) {
      throw new BadUpstream('A model server that may serve this model does not answer.');
    }
    throw unknownModel(id);
  }

  private requireAllowed(caller: Caller, id: string): void {
    if (this.rules.allows(caller.tenantId, id)) return;
    throw new Conflict('model_not_allowed', `The model ${shortened(id)} is not allowed for this tenant.`, 'model');
  }
}

async function askUnknown(backends: readonly Backend[]): Promise<void> {
  await Promise.all(backends.filter((backend) => !backend.modelsKnown).map((backend) => backend.refresh()));
}

function routesOf(backends: readonly Backend[], id: string): readonly [Route, ...Route[]] | undefined {
  const [first, ...others] = backends.flatMap((backend) => routeOf(backend, id) ?? []);
  return first && [first, ...others];
}

function routeOf(backend: Backend, id: string): Route | undefined {
  const model = backend.models.find((entry) => entry.id === id);
  return model && { backend, model };
}

function unknownModel(id: string): NotFound {
  return new NotFound(`The model ${shortened(id)} does not exist.`, 'model_not_found');
}

function shortened(id: string): string {
  return id.slice(0, 256);
}

function toModel({ id, created, ownedBy, capabilities }: ServedModel): Model {
  return { id, object: 'model', created, ownedBy, capabilities: [...capabilities] };
}
