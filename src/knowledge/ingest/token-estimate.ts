/** How many UTF-16 units a token has at first: English prose. */
const FIRST = 4;
const LEAST = 0.05;
const MOST = 64;

/** How long texts are that have so many tokens, by those that were counted last: counting costs. */
export class TokenEstimate {
  private unitsPerToken = FIRST;

  /** Answers how many UTF-16 units so many tokens may be; at least 1. */
  toUnits(tokens: number): number {
    return Math.max(1, Math.floor(tokens * this.unitsPerToken));
  }

  /** Takes a text into account that was counted. */
  learn(units: number, tokens: number): void {
    if (!(tokens > 0)) return;
    const counted = Math.min(Math.max(units / tokens, LEAST), MOST);
    this.unitsPerToken = (this.unitsPerToken + counted) / 2;
  }
}
