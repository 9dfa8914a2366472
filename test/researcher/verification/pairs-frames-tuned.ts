import { readFileSync } from 'node:fs';
import type { LabelledQuote } from './pair-kind.js';

/**
 * False sentences written against the rules by somebody who had read them, in kinds that are common; the rules of frames were
 * made with them.
 */
export const FRAMES_TUNED: readonly LabelledQuote[] = JSON.parse(
  readFileSync(new URL('./pairs-frames-tuned.json', import.meta.url), 'utf8'),
);
