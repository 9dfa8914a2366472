import type { RateState } from '../platform/cluster/rate-state.js';

/** The header with the fields that were left out of a request. */
const OMITTED_HEADER = 'x-omitted-fields';
/** What a header may name: paths such as `tools[1]`, and not more of them than a client reads. */
const NAMED_PATH = /^[\w.[\]-]{1,100}$/;
const MOST_NAMED = 50;

/** Response headers that resolvers and services set; applied before the status line. Names in lower case. */
export class Reply {
  readonly headers: Record<string, string> = {};
  private readonly omitted = new Set<string>();

  /** The paths of all fields that were left out of the request; GraphQL tells them in `extensions.omittedFields`. */
  get omittedFields(): readonly string[] {
    return [...this.omitted];
  }

  set(name: string, value: string): void {
    this.headers[name] = value;
  }

  setAll(headers: Readonly<Record<string, string>>): void {
    Object.assign(this.headers, headers);
  }

  /**
   * Names fields that were left out of the request, because the model server has no counterpart for them. The header
   * `x-omitted-fields` lists the first fifty, separated by commas.
   * @param fields paths such as `tools[1]`
   */
  omit(fields: readonly string[]): void {
    for (const field of fields) if (NAMED_PATH.test(field)) this.omitted.add(field);
    this.setAll(this.omittedHeader);
  }

  /** The header that names these fields; none where nothing was left out. An answer that is told again has it too. */
  get omittedHeader(): Readonly<Record<string, string>> {
    if (this.omitted.size === 0) return {};
    return { [OMITTED_HEADER]: [...this.omitted].slice(0, MOST_NAMED).join(', ') };
  }
}

/** The three headers of a limited endpoint (docs/api.md, Limits). */
export function rateHeaders(state: RateState): Record<string, string> {
  return {
    'x-ratelimit-limit-requests': String(state.limit),
    'x-ratelimit-remaining-requests': String(Math.max(0, state.remaining)),
    'x-ratelimit-reset-requests': String(state.resetSeconds),
  };
}
