import { confidenceOf } from '../../../../src/documents/confidence/confidence.js';
import type { Outcome } from './outcomes.js';

/** The values that were proposed, with their confidence. */
export function judge(outcomes: readonly Outcome[]): { confidence: number; isRight: boolean; isRow: boolean }[] {
  return outcomes.flatMap(({ proposal, isRight, path }) =>
    proposal ? [{ confidence: confidenceOf(proposal.evidence), isRight, isRow: path.includes('[') }] : [],
  );
}
