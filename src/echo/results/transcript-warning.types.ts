/**
 * What of a transcript is not as it should be. `gap`: nobody knows what was said there; `low_confidence`: the model has
 * repeated itself there; `no_speakers`: the model does not tell when something was said, so nobody can be told from others.
 */
export interface TranscriptWarning {
  readonly type: 'gap' | 'low_confidence' | 'no_speakers';
  /** For people. */
  readonly message: string;
  /** In seconds; absent: everywhere. */
  readonly start?: number;
  readonly end?: number;
  /** Why there is a gap, as a word such as `bad_upstream`. */
  readonly reason?: string;
}
