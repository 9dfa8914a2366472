/**
 * What comes next in a text cannot be decided within the limits: a candidate of a match is longer than may be held back,
 * or a pattern looks ahead too far too often.
 */
export class MatchLimitExceeded extends Error {
  /** Says what was exceeded. */
  constructor(message = 'What could become a match is longer than may be held back.') {
    super(message);
    this.name = 'MatchLimitExceeded';
  }
}
