import { Unavailable } from '../../errors.js';
import type { OpenCall } from '../../metering/metering.types.js';
import { attemptFailureOf } from './attempt-failure.js';
import type { Backend } from './backend.js';
import type { Route } from './backends.service.js';
import { chooseInstance } from './instance-choice.js';

/** How many instances may fail a call after it has reached them; those that refuse it at once do not count. */
const ATTEMPTS = 3;

interface DispatchOptions {
  /** The same for all calls of a conversation. */
  readonly affinityKey?: string;
  /** No other instance will do. */
  readonly pinned?: boolean;
}

/** One call on its way to the instances that may answer it. */
export class Dispatch {
  private backend: Backend | undefined;
  /** Of the call's record; the model server is told. */
  traceparent: string | undefined;

  constructor(
    private readonly routes: readonly [Route, ...Route[]],
    private readonly options: DispatchOptions,
  ) {}

  /** An instance that may answer; all of them serve the same model. */
  get expected(): Route {
    return this.routes[0];
  }

  /**
   * Runs `attempt`, the upstream call up to its head, on one instance after another until one answers. Each is asked
   * once, and none after the first byte of an answer.
   * @throws what the attempt throws where no other instance may be asked; Unavailable where one said that it is busy
   */
  async run<T>(signal: AbortSignal, attempt: (route: Route) => Promise<T>): Promise<T> {
    const untried = new Set(this.routes);
    let attempts = 0;
    let failure: unknown;
    while (attempts < ATTEMPTS) {
      const route = this.choose([...untried]);
      if (!route) break;
      untried.delete(route);
      this.backend = route.backend;
      const endProbe = route.backend.circuit.beginProbe();
      try {
        return await attempt(route);
      } catch (error) {
        const kind = attemptFailureOf(error);
        if (!kind || signal.aborted) throw error;
        if (kind === 'failed') attempts += 1;
        // One that is busy says when to come back.
        if (!(failure instanceof Unavailable)) failure = error;
      } finally {
        endProbe();
      }
    }
    throw this.unanswered(failure);
  }

  /** The record of this call, which is told at the end which backend it was. */
  recorded(call: OpenCall): OpenCall {
    this.traceparent = call.traceparent;
    return {
      id: call.id,
      answered: () => call.answered?.(),
      finish: (usage, outcome) => call.finish(usage, outcome, this.backend?.id),
    };
  }

  private choose(untried: readonly Route[]): Route | undefined {
    // Where there is no other, there is nothing to lose.
    if (this.routes.length === 1) return untried[0];
    const backend = chooseBackend(
      untried.map((route) => route.backend),
      this.options.affinityKey,
    );
    return untried.find((route) => route.backend === backend);
  }

  private unanswered(failure: unknown): unknown {
    const isDown = this.options.pinned && attemptFailureOf(failure) === 'refused';
    if (failure !== undefined && (!isDown || failure instanceof Unavailable)) return failure;
    return new Unavailable('No server of this model answers at the moment. Please try again.', 2);
  }
}

/** One whose probe is due before the others of its priority; one that rests or does not answer only where no other is. */
function chooseBackend(backends: readonly Backend[], affinityKey: string | undefined): Backend | undefined {
  const closed = backends.filter(({ circuit }) => circuit.standing === 'ready' || circuit.standing === 'resting');
  const ready = closed.filter(({ circuit, healthy }) => healthy && circuit.standing === 'ready');
  const usable = ready.length > 0 ? ready : closed;
  const best = Math.min(...usable.map(({ priority }) => priority));
  const due = backends.find(({ circuit, priority }) => circuit.standing === 'probe' && priority <= best);
  return due ?? chooseInstance(usable, affinityKey);
}
