import { BYOK_HEADER } from '../../../access/caller.js';
import type { ByokKey, Caller } from '../../../access/caller.js';
import { Conflict, Unavailable } from '../../../errors.js';
import type { Operation } from '../backend.js';
import type { BackendsService, Route } from '../backends.service.js';
import { RoutePlan } from './route-plan.js';

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
    private readonly backends: BackendsService,
    private readonly hashAffinityKey: (tenantId: string, text: string) => string,
  ) {}

  /**
   * Checks that a call can be made, before anything is recorded or sent.
   * @throws NotFound `model_not_found`; Conflict `model_not_allowed`, `capability_not_supported`, or `conflict` where the
   * instance does not serve the model; Unavailable where it is gone; BadUpstream where no backend tells its models
   */
  async plan(caller: Caller, request: RouteRequest): Promise<RoutePlan> {
    if (request.instance !== undefined)
      return new RoutePlan([this.pinned(caller, request, request.instance)], {
        operation: request.operation,
        pinned: true,
      });
    const serving = await this.backends.routes(caller, request.model);
    const routes = takingKey(supporting(serving, request), request);
    const { affinityKey, operation } = request;
    const choosing = affinityKey && routes.length > 1;
    return new RoutePlan(routes, {
      operation,
      affinityKey: choosing ? this.hashAffinityKey(caller.tenantId, affinityKey()) : undefined,
    });
  }

  private pinned(caller: Caller, request: RouteRequest, instance: string): Route {
    const route = this.backends.routeAt(caller, instance, request.model);
    if (route === undefined)
      throw new Unavailable('The server that keeps this response is not there at the moment.', 5);
    if (route) return takingKey([route], request)[0];
    throw new Conflict('conflict', `The server that keeps this response does not serve ${request.model}.`, 'model');
  }
}

type Routes = readonly [Route, ...Route[]];

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
