import type { Box } from '../../../../src/documents/layout/layout.types.js';
import type { Proposal } from '../../../../src/documents/rules/rules.types.js';
import { alignRows } from './align-rows.js';
import type { SetDocument } from '../set/document.types.js';

/** What came of one field of one document: a right value, a wrong one, or one that was not found. */
export interface Outcome {
  readonly document: SetDocument;
  readonly path: string;
  readonly proposal?: Proposal;
  readonly isRight: boolean;
  /** Whether the document has a value for it. */
  readonly isThere: boolean;
  /** Of a right value whose place is known. */
  readonly overlap?: number;
}

/** Compares proposals with what is right, field by field; rows of arrays with those that they are, see `alignRows`. */
export function outcomesOf(document: SetDocument, proposals: readonly Proposal[]): Outcome[] {
  const aligned = alignRows(proposals, document.truth, isSame);
  const byPath = new Map(aligned.map((proposal) => [proposal.path, proposal]));
  const paths = new Set([...byPath.keys(), ...document.truth.keys()]);
  return [...paths].map((path) => {
    const [proposal, truth] = [byPath.get(path), document.truth.get(path)];
    const isRight = proposal !== undefined && truth !== undefined && isSame(proposal.value, truth.value);
    const isPlaced = isRight && proposal.box && truth.box && proposal.page === truth.page;
    return {
      document,
      path,
      ...(proposal ? { proposal } : {}),
      isRight,
      isThere: truth !== undefined,
      ...(isPlaced ? { overlap: overlapOf(proposal.box, truth.box) } : {}),
    };
  });
}

function isSame(value: unknown, truth: unknown): boolean {
  if (typeof value === 'number' && typeof truth === 'number') return Math.abs(value - truth) < 0.005;
  return comparable(value) === comparable(truth);
}

/** Case and blanks count for nothing. */
function comparable(value: unknown): string {
  return String(value).normalize('NFKC').replaceAll(/\s+/g, '').toLowerCase();
}

/** Intersection over union. */
export function overlapOf(one: Box, other: Box): number {
  const width = Math.min(one[2], other[2]) - Math.max(one[0], other[0]);
  const height = Math.min(one[3], other[3]) - Math.max(one[1], other[1]);
  const both = Math.max(0, width) * Math.max(0, height);
  return both / (areaOf(one) + areaOf(other) - both || 1);
}

function areaOf([left, top, right, bottom]: Box): number {
  return (right - left) * (bottom - top);
}
