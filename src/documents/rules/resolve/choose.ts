import type { Evidence, Proposal } from '../rules.types.js';
import type { OpenField } from './apply-checks.js';
import type { Scored } from './scored.js';

/** Worse than this a candidate is no proposal. */
const LEAST_POINTS = 0.24;

/** Gives each field its best candidate; what one field has been given is no other's, if its own is as good. */
export function choose(fields: readonly OpenField[]): Proposal[] {
  const open = fields
    .flatMap((field) => field.candidates.map((candidate) => ({ field, candidate })))
    .filter(({ candidate }) => candidate.points >= LEAST_POINTS)
    .sort((one, other) => other.candidate.points - one.candidate.points || orderOf(one.candidate, other.candidate));
  const taken = new Set<string>();
  const proposals = new Map<OpenField, Proposal>();
  for (const { field, candidate } of open) {
    const { place } = candidate;
    // Two fields of one concept are the same thing.
    const key = `${place.pageIndex} ${place.start} ${field.target.concept ?? field.target.path}`;
    const spot = `${place.pageIndex} ${place.start}`;
    if (proposals.has(field) || (taken.has(spot) && !taken.has(key))) continue;
    taken.add(spot).add(key);
    proposals.set(field, toProposal(field, candidate));
  }
  return fields.flatMap((field) => proposals.get(field) ?? []);
}

/** Of those that are as good, the first of the document. */
function orderOf({ place: one }: Scored, { place: other }: Scored): number {
  return one.pageIndex - other.pageIndex || one.start - other.start;
}

function toProposal(field: OpenField, candidate: Scored): Proposal {
  const { place, value } = candidate;
  const { recognition: _recognition, ...proof } = place;
  return { path: field.target.path, value, ...proof, evidence: toEvidence(field, candidate) };
}

function toEvidence({ candidates, shape }: OpenField, candidate: Scored): Evidence {
  const { relation, label, labelQuality, passed, failed, isAmbiguous, points, place } = candidate;
  const rivals = candidates.filter((other) => other.value !== candidate.value);
  const nearest = Math.max(0, ...rivals.map((rival) => rival.points));
  return {
    relation,
    label,
    labelQuality,
    rivals: new Set(rivals.map(({ value }) => value)).size,
    margin: Math.max(0, Math.min(1, (points - nearest) / (points || 1))),
    ...(place.recognition === undefined ? {} : { recognition: place.recognition }),
    passed: [...passed],
    failed: [...failed],
    isAmbiguous,
    shape,
  };
}
