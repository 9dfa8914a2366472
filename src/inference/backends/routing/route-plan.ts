import { Unavailable } from '../../../errors.js';
import { attemptFailureOf } from './attempt-failure.js';
import type { Backend, Operation, ServedModel } from '../backend.js';
import type { Route } from '../backends.service.js';
import { chooseInstance } from './instance-choice.js';

/** How many instances may fail a call after it has reached them; those that refuse it at once do not count. */
const ATTEMPTS = 3;

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
    private readonly routes: readonly [Route, ...Route[]],
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

/** What a backend is asked for: responses are given by chat where the model has none. */
function operationOf(operation: Operation, { capabilities }: ServedModel): Operation {
  return operation === 'responses' && !capabilities.includes('responses') ? 'chat' : operation;
}

/** One that is busy says when to come back; after it, one that says why it failed. */
function isMoreInformative(error: unknown, before: unknown): boolean {
  if (before instanceof Unavailable) return false;
  return error instanceof Unavailable || attemptFailureOf(before) !== 'rejected';
}
