import { BadUpstream, NotFound } from '../errors.js';
import type { Caller } from '../context.js';
import type { Backend, ServedModel } from './backend.js';
import type { BackendInstance, Model } from './model.types.js';

/** A model together with a backend that serves it. */
export interface Route {
  readonly backend: Backend;
  readonly model: ServedModel;
}

/** Which backends there are and which models they serve. */
export class BackendsService {
  constructor(readonly all: readonly Backend[]) {}

  /** Every backend (specification, section 4). */
  async listBackends(_caller: Caller): Promise<BackendInstance[]> {
    await this.askUnknown();
    return this.all.map((backend) => ({
      backend: backend.id,
      provider: backend.provider,
      supports: [...backend.supports],
      models: backend.models().map(({ id }) => id),
      healthy: backend.healthy,
      latencyMs: backend.latencyMilliseconds,
      inFlight: backend.inFlight,
    }));
  }

  /** Every model once, in the order of the backends (specification, section 4). */
  async listModels(_caller: Caller): Promise<Model[]> {
    await this.askUnknown();
    const models = new Map<string, ServedModel>();
    for (const backend of this.all) {
      for (const model of backend.models()) if (!models.has(model.id)) models.set(model.id, model);
    }
    return [...models.values()].map(toModel);
  }

  /** @throws as `route` does */
  async getModel(caller: Caller, id: string): Promise<Model> {
    return toModel((await this.route(caller, id)).model);
  }

  /**
   * Finds the first backend that serves a model. An unknown model makes backends be asked for theirs again, so that
   * the order in which servers start does not matter.
   * @throws NotFound `model_not_found`, or BadUpstream where a backend never told its models
   */
  async route(_caller: Caller, id: string): Promise<Route> {
    const known = this.find(id);
    if (known) return known;
    await Promise.all(this.all.map((backend) => backend.refresh()));
    const found = this.find(id);
    if (found) return found;
    if (this.all.some((backend) => !backend.modelsKnown)) {
      throw new BadUpstream('A model server that may serve this model does not answer.');
    }
    throw new NotFound(`The model ${id.slice(0, 256)} does not exist.`, 'model_not_found');
  }

  /** Ends every call and every connection. */
  async close(): Promise<void> {
    await Promise.all(this.all.map((backend) => backend.close()));
  }

  private async askUnknown(): Promise<void> {
    await Promise.all(this.all.filter((backend) => !backend.modelsKnown).map((backend) => backend.refresh()));
  }

  private find(id: string): Route | undefined {
    for (const backend of this.all) {
      const model = backend.models().find((entry) => entry.id === id);
      if (model) return { backend, model };
    }
    return undefined;
  }
}

function toModel({ id, created, ownedBy, capabilities }: ServedModel): Model {
  return { id, object: 'model', created, ownedBy, capabilities: [...capabilities] };
}
