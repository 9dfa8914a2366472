import { readFileSync } from 'node:fs';
import type { LabelledQuote } from './pair-kind.js';

/*
 * 171 false and 62 true sentences that an attacker wrote, having read the rules; both are divided at random. The classes of
 * all were known when the rules of bounds, modifiers and periods were made.
 */

/** The half that these rules were made with. */
export const BOUNDS_TUNED: readonly LabelledQuote[] = read('pairs-bounds-tuned.json');

/** The other half. */
export const BOUNDS_HELD_OUT: readonly LabelledQuote[] = read('pairs-bounds-held-out.json');

/** More false ones of the same attacker in the classes that passed most; the rules were made with them. */
export const BOUNDS_CLASSES: readonly LabelledQuote[] = read('pairs-bounds-classes.json');

/** True sentences whose quotes have the words of these rules, written by their author when they stood. */
export const BOUNDS_INNOCENT: readonly LabelledQuote[] = read('pairs-bounds-innocent.json');

function read(name: string): readonly LabelledQuote[] {
  return JSON.parse(readFileSync(new URL(`./${name}`, import.meta.url), 'utf8'));
}
