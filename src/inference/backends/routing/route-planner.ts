import { BYOK_HEADER } from '../../../access/caller.js';
import type { ByokKey, CallOwner } from '../../../access/caller.js';
import { Conflict, Unavailable } from '../../../errors.js';
import type { ModelPoliciesService } from '../../models/model-policies.service.js';
import { shortModelName } from '../backend-registry.js';
import type { BackendRegistry, Route, Routes } from '../backend-registry.js';
import type { Backend, Operation, ServedModel } from '../backend.js';
import { attemptFailureOf } from './attempt-failure.js';
import { chooseInstance } from './instance-choice.js';

/** How many instances may fail a call after it has reached them; those that refuse it at once do not count. */
const ATTEMPTS = 3;

/** What a call needs. */
export interface RouteRequest {
  /** The public name. */
  readonly model: string;
  readonly operation: Operation;
  /** What is the same for all calls of a conversation; asked for only where there is a choice. */
  readonly affinityKey?: () => string;
  /** The id of the backend that alone will do, because it keeps what is to be continued. */
  readonly instance?: string;
  readonly byok?: ByokKey;
}

/** Finds the backends that may answer a call. */
export class RoutePlanner {
  /** @param hashAffinityKey makes a key of a text that tells nothing of it, another one for each tenant */
  constructor(
    private readonly backends: Pick<BackendRegistry, 'routeAt' | 'routes'>,
    private readonly policies: Pick<ModelPoliciesService, 'allows'>,
    private readonly hashAffinityKey: (tenantId: string, text: string) => string,
  ) {}

  /**
   * Checks that a call can be made, before anything is recorded or sent.
   * @throws NotFound `model_not_found`; Conflict `model_not_allowed`, `capability_not_supported`, or `conflict` where the
   * instance does not serve the model; Unavailable where it is gone; BadUpstream where no backend tells its models
   */
  async plan(caller: CallOwner, request: RouteRequest): Promise<RoutePlan> {
    if (request.instance !== undefined)
      return new RoutePlan([this.pinned(caller, request, request.instance)], {
        operation: request.operation,
        pinned: true,
      });
    const serving = await this.backends.routes(caller.tenantId, request.model);
    this.requireAllowed(caller, request.model);
    const routes = takingKey(supporting(serving, request), request);
    const { affinityKey, operation } = request;
    const choosing = affinityKey && routes.length > 1;
    return new RoutePlan(routes, {
      operation,
      affinityKey: choosing ? this.hashAffinityKey(caller.tenantId, affinityKey()) : undefined,
    });
  }

  private pinned(caller: CallOwner, request: RouteRequest, instance: string): Route {
    this.requireAllowed(caller, request.model);
    const route = this.backends.routeAt(caller.tenantId, instance, request.model);
    if (route === undefined)
      throw new Unavailable('The server that keeps this response is not there at the moment.', 5);
    if (route) return takingKey([route], request)[0];
    throw new Conflict('conflict', `The server that keeps this response does not serve ${request.model}.`, 'model');
  }

  private requireAllowed({ tenantId }: CallOwner, model: string): void {
    if (this.policies.allows(tenantId, model)) return;
    throw new Conflict(
      'model_not_allowed',
      `The model ${shortModelName(model)} is not allowed for this tenant.`,
      'model',
    );
  }
}

interface RoutePlanOptions {
  /** The same for all calls of a conversation. */
  readonly affinityKey?: string;
  readonly operation: Operation;
  /** No other instance will do. */
  readonly pinned?: boolean;
}

/** One call on its way to the instances that may answer it. */
export class RoutePlan {
  private backend: Backend | undefined;

  constructor(
    private readonly routes: Routes,
    private readonly options: RoutePlanOptions,
  ) {}

  /** An instance that may answer; all of them serve the same model. */
  get expected(): Route {
    return this.routes[0];
  }

  /** The id of the backend that was asked last; undefined while none was. */
  get askedBackendId(): string | undefined {
    return this.backend?.id;
  }

  /**
   * Runs `attempt`, the upstream call up to its head, on one instance after another until one answers. Each is asked
   * once, and none after the first byte of an answer.
   * @throws what the attempt throws where no other instance may be asked; Unavailable where one said that it is busy
   */
  async run<T>(signal: AbortSignal, attempt: (route: Route) => Promise<T>): Promise<T> {
    const untried = new Set(this.routes);
    let left = ATTEMPTS;
    let failure: unknown;
    while (left > 0) {
      const route = this.choose([...untried]);
      if (!route) break;
      untried.delete(route);
      this.backend = route.backend;
      try {
        return await attempt(route);
      } catch (error) {
        const kind = attemptFailureOf(error);
        if (!kind || signal.aborted) throw error;
        if (kind !== 'refused') left -= 1;
        // What may be wrong with the request itself is not spread over all instances.
        if (kind === 'rejected' || kind === 'doubtful') left = Math.min(left, 1);
        if (isMoreInformative(error, failure)) failure = error;
      }
    }
    throw this.unanswered(failure);
  }

  private choose(untried: readonly Route[]): Route | undefined {
    // Where there is no other, there is nothing to lose.
    if (this.routes.length === 1) return untried[0];
    const usable = untried.filter((route) => this.circuitOf(route).state === 'closed');
    const ready = usable.filter((route) => route.backend.reachable && this.circuitOf(route).pausedUntil === undefined);
    const best = (ready.length > 0 ? ready : usable).map((route) => route.backend);
    const backend = chooseInstance(best, this.options.affinityKey);
    return untried.find((route) => route.backend === backend);
  }

  private circuitOf({ backend, model }: Route): ReturnType<Backend['circuit']> {
    return backend.circuit(operationOf(this.options.operation, model));
  }

  private unanswered(failure: unknown): unknown {
    const isDown = this.options.pinned && attemptFailureOf(failure) === 'refused';
    if (failure !== undefined && (!isDown || failure instanceof Unavailable)) return failure;
    return new Unavailable('No server of this model answers at the moment. Please try again.', 2);
  }
}

/** Those that can do it; responses are given by chat where nothing else can give them. */
function supporting(routes: Routes, { model, operation }: RouteRequest): Routes {
  const able = (needed: Operation) => nonEmpty(routes.filter((route) => route.model.capabilities.includes(needed)));
  const found = able(operation) ?? (operation === 'responses' ? able('chat') : undefined);
  if (found) return found;
  throw new Conflict('capability_not_supported', `The model ${model} does not support ${operation}.`, 'model');
}

/** A key goes to backends of one provider: of the first in order of priority that takes keys. */
function takingKey(routes: Routes, { model, byok }: RouteRequest): Routes {
  if (!byok) return routes;
  const taking = routes
    .filter(({ backend }) => backend.takesKeys)
    .toSorted((a, b) => a.backend.priority - b.backend.priority);
  const ofOne = nonEmpty(taking.filter(({ backend }) => backend.provider === taking[0]?.backend.provider));
  if (ofOne) return ofOne;
  throw new Conflict('capability_not_supported', `The model ${model} does not take ${BYOK_HEADER}.`, BYOK_HEADER);
}

function nonEmpty(routes: readonly Route[]): Routes | undefined {
  const [first, ...others] = routes;
  return first && [first, ...others];
}

/** What a backend is asked for: responses are given by chat where the model has none. */
function operationOf(operation: Operation, { capabilities }: ServedModel): Operation {
  return operation === 'responses' && !capabilities.includes('responses') ? 'chat' : operation;
}

/** One that is busy says when to come back; after it, one that says why it failed. */
function isMoreInformative(error: unknown, before: unknown): boolean {
  if (before instanceof Unavailable) return false;
  return error instanceof Unavailable || attemptFailureOf(before) !== 'rejected';
}
