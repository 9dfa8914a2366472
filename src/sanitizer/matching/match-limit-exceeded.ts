/** How many UTF-16 units a match may have, and those that overlap together; and what could become one. */
export const LONGEST_MATCH = 4_096;

/**
 * What comes next in a text cannot be decided within the limits: a match, or what could become one, is longer than
 * `LONGEST_MATCH`, or a pattern looks ahead too far too often.
 */
export class MatchLimitExceeded extends Error {
  /** Says what was exceeded. */
  constructor(message = `A match, or what could become one, is longer than ${LONGEST_MATCH} characters.`) {
    super(message);
    this.name = 'MatchLimitExceeded';
  }
}
