/** How a limit stands, as every 429 tells it, in whole seconds and counts. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends, at least 1 where the limit is reached. */
  readonly resetSeconds: number;
}
