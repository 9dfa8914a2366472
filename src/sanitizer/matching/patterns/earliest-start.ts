import { LONGEST_MATCH } from '../match-limit-exceeded.js';
import type { PatternProgram } from './pattern-program.js';

/** Where a search goes on, and up to where it need not be asked again. */
export interface EarliestStart {
  readonly at: number;
  readonly until: number;
}

/**
 * Answers where a match could begin that reaches the end of a literal: all between is taken by some instruction. Where
 * more than `LONGEST_MATCH` units before that are taken, it answers where they begin: a candidate could be too long
 * there, and that must not depend on whether the next literal is known already.
 */
export function findEarliestStart(
  program: PatternProgram,
  text: string,
  from: number,
  literalEnd: number,
): EarliestStart {
  if (program.longest > LONGEST_MATCH) {
    const run = findLongRun(program, text, from, literalEnd);
    if (run) return run;
  }
  const limit = Math.max(from, literalEnd - program.longest);
  let at = literalEnd;
  while (at > limit && program.consumes(text.charCodeAt(at - 1))) at -= 1;
  return { at: isInsideCharacter(text, from, at) ? at - 1 : at, until: literalEnd };
}

/** A longer row of units than a match may have, all of which are taken, has one at a multiple of that length. */
function findLongRun(program: PatternProgram, text: string, from: number, to: number): EarliestStart | null {
  for (let probe = from + LONGEST_MATCH; probe < to; probe += LONGEST_MATCH) {
    let [at, until] = [probe, probe];
    while (at > from && program.consumes(text.charCodeAt(at - 1))) at -= 1;
    while (until < to && program.consumes(text.charCodeAt(until))) until += 1;
    if (until - at > LONGEST_MATCH) return { at, until };
  }
  return null;
}

function isInsideCharacter(text: string, from: number, at: number): boolean {
  return at > from && (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}
