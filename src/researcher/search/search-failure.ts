/** Why a provider has not answered, in words that tell nothing of where it is. */
export type SearchFailureReason =
  /** It could not be connected to, or broke off. */
  | 'unreachable'
  /** It took longer than 15 s to begin, or to end. */
  | 'timeout'
  /** A status that says that this server may not ask so: the key, or a format that is not enabled. */
  | 'refused'
  | 'rate_limited'
  /** A status of 500 or more. */
  | 'server_error'
  /** No JSON of the right form, or too much of it. */
  | 'bad_answer'
  /** It has nothing, since the engines behind it do not answer. */
  | 'unresponsive_engines';

/** A question to a provider that had no answer: the next provider is asked. */
export class SearchFailure extends Error {
  constructor(
    readonly reason: SearchFailureReason,
    options?: ErrorOptions,
  ) {
    super(`The search provider has not answered: ${reason}.`, options);
    this.name = 'SearchFailure';
  }
}
