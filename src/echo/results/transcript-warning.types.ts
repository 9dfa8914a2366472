/**
 * What of a transcript is not as it should be. `gap`: nobody knows what was said there; `low_confidence`: the model has
 * repeated itself there; `no_speakers`: speakers could not be told apart; `unchecked`: the audio was given to the model as it
 * came, so what the model has made up where nobody speaks is not left out.
 */
export interface TranscriptWarning {
  readonly type: 'gap' | 'low_confidence' | 'no_speakers' | 'unchecked';
  /** For people. */
  readonly message: string;
  /** In seconds; absent: everywhere. */
  readonly start?: number;
  readonly end?: number;
  /** Why there is a gap, as a word such as `bad_upstream`. */
  readonly reason?: string;
}
