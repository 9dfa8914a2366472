import type { CheckState } from '../../platform/telemetry/health.js';
import { ProbeHistory } from '../../platform/telemetry/probe-history.js';
import { SearchFailure } from './search-failure.js';
import type { SearchProvider } from './search.types.js';

/** How a part does, as it was seen last. */
export interface PartState {
  readonly ok: boolean;
  /** As `ProbeHistory` has it. */
  readonly state: CheckState;
  /** How long it took; null where it was never asked. */
  readonly latencyMs: number | null;
  /** Why it is not ok, in a word that tells nothing of where it is; null where it is. */
  readonly error: string | null;
  /** When that was seen; null where it was never asked. */
  readonly checkedAt: Date | null;
}

/** Nothing is known against it. */
const NEVER_ASKED: PartState = { ok: true, state: 'ok', latencyMs: null, error: null, checkedAt: null };

/** How the search providers do, by the last question to each. Questions of everybody count, wherever they end. */
export class ProviderHealth {
  private readonly states = new Map<string, PartState>();
  private readonly histories = new Map<string, ProbeHistory>();

  /** How a provider did when it was last asked. */
  stateOf({ name }: Pick<SearchProvider, 'name'>): PartState {
    return this.states.get(name) ?? NEVER_ASKED;
  }

  /** Asks a provider, and keeps how that went: whoever leaves meanwhile says nothing of it. @throws what `ask` throws */
  async watch<T>({ name }: Pick<SearchProvider, 'name'>, ask: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const keep = (error: string | null): void => {
      const latencyMs = Math.round(performance.now() - startedAt);
      const history = this.histories.get(name) ?? new ProbeHistory();
      this.histories.set(name, history);
      if (error === null) history.answered();
      else if (error === 'timeout') history.missed();
      else history.failed();
      this.states.set(name, { ok: error === null, state: history.state, latencyMs, error, checkedAt: new Date() });
    };
    try {
      const answer = await ask();
      keep(null);
      return answer;
    } catch (error) {
      if (error instanceof SearchFailure) keep(error.reason);
      throw error;
    }
  }
}
