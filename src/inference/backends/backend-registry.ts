import { BadUpstream, NotFound } from '../../errors.js';
import type { Backend, ServedModel } from './backend.js';

/** A model together with a backend that serves it. */
export interface Route {
  readonly backend: Backend;
  readonly model: ServedModel;
}

/** Those of one model, at least one. */
export type Routes = readonly [Route, ...Route[]];

/** The backends that there are at the moment, in their order: those of the configuration first. */
export class BackendRegistry {
  private backends: readonly Backend[];

  constructor(configured: readonly Backend[]) {
    this.backends = configured;
  }

  get all(): readonly Backend[] {
    return this.backends;
  }

  /** Those that serve everybody, and the tenant's own. */
  visibleTo(tenantId: string): readonly Backend[] {
    return this.backends.filter((backend) => backend.tenantId === null || backend.tenantId === tenantId);
  }

  /**
   * Finds the backends that serve a model to a tenant. An unknown model makes backends be asked for theirs again, so that
   * the order in which servers start does not matter.
   * @throws NotFound `model_not_found`, or BadUpstream where a backend never told its models
   */
  async routes(tenantId: string, model: string): Promise<Routes> {
    const backends = this.visibleTo(tenantId);
    const known = routesOf(backends, model);
    if (known) return known;
    await Promise.all(backends.map((backend) => backend.refresh()));
    const found = routesOf(backends, model);
    if (found) return found;
    if (backends.some((backend) => !backend.modelsKnown)) {
      throw new BadUpstream('A model server that may serve this model does not answer.');
    }
    throw unknownModel(model);
  }

  /**
   * Finds what one backend serves a model with.
   * @returns undefined where the backend is not there, null where it does not serve the model
   */
  routeAt(tenantId: string, backendId: string, model: string): Route | null | undefined {
    const backend = this.visibleTo(tenantId).find(({ id }) => id === backendId);
    return backend && (routeOf(backend, model) ?? null);
  }

  /** Adds a backend, in the place of the one with its id where there is one; that one is closed when its calls are over. */
  put(backend: Backend): void {
    const at = this.backends.findIndex(({ id }) => id === backend.id);
    const [before] = at < 0 ? [] : this.backends.slice(at, at + 1);
    this.backends = at < 0 ? [...this.backends, backend] : this.backends.with(at, backend);
    void before?.retire();
  }

  /** Takes a backend away; it is closed when its calls are over. */
  remove(id: string): void {
    const removed = this.backends.find((backend) => backend.id === id);
    this.backends = this.backends.filter((backend) => backend !== removed);
    void removed?.retire();
  }

  /** Ends every call and every connection. */
  async close(): Promise<void> {
    await Promise.all(this.backends.map((backend) => backend.close()));
  }
}

/** 404 for a model that is not there, or that the tenant may not know of. */
export function unknownModel(id: string): NotFound {
  return new NotFound(`The model ${shortModelName(id)} does not exist.`, 'model_not_found');
}

/** As much of a model's name as an error repeats: it may be anything that a caller sent. */
export function shortModelName(id: string): string {
  return id.slice(0, 256);
}

function routesOf(backends: readonly Backend[], model: string): Routes | undefined {
  const [first, ...others] = backends.flatMap((backend) => routeOf(backend, model) ?? []);
  return first && [first, ...others];
}

function routeOf(backend: Backend, id: string): Route | undefined {
  const model = backend.models.find((entry) => entry.id === id);
  return model && { backend, model };
}
