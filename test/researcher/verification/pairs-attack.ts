import { readFileSync } from 'node:fs';
import type { LabelledQuote } from './pair-kind.js';

/*
 * 136 false sentences that an attacker wrote to pass, with no true ones; the paraphrases were written by the author of the
 * rules before the rules for these classes were. Both are divided by the first byte of the SHA-256 of the quote, which is even
 * in the half that the rules were tuned on.
 */

/** The half that the rules of comparisons, ranks, exceptions and the like were made with. */
export const ATTACK_TUNED: readonly LabelledQuote[] = read('pairs-attack-tuned.json');

/** The half whose sentences were not looked at while they were made; its classes were known. Two were mended later. */
export const ATTACK_HELD_OUT: readonly LabelledQuote[] = read('pairs-attack-held-out.json');

/** False and true sentences of the same classes, written by the author of the rules when these stood. */
export const ATTACK_LATER: readonly LabelledQuote[] = read('pairs-attack-later.json');

/** True sentences whose quotes have the words of these rules where they reserve nothing of what is said. */
export const ATTACK_INNOCENT: readonly LabelledQuote[] = read('pairs-attack-innocent.json');

function read(name: string): readonly LabelledQuote[] {
  return JSON.parse(readFileSync(new URL(`./${name}`, import.meta.url), 'utf8'));
}
