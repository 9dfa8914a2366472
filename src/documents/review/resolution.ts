import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../access/caller.js';
import { BadRequest, Conflict, Outdated } from '../../errors.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { requireFieldValue } from '../schema/field-value.js';
import type { ExtractionSchema, SchemaField } from '../schema/schema.types.js';
import { findField, parsePath } from '../schema/value-path.js';
import type { DocumentSession } from '../sessions/document-session.entity.js';
import type { DocumentValue, ValueStatus } from './document-value.entity.js';
import type { ResolutionInput, ReviewAction } from './review.inputs.js';

const MAX_COMMENT = 2_000;
const STATUS: Readonly<Record<ReviewAction, ValueStatus>> = {
  accept: 'accepted',
  correct: 'corrected',
  reject: 'rejected',
};

/** A review item with what its resolution depends on, all locked. */
export interface ReviewedItem {
  readonly item: DocumentValue;
  readonly session: DocumentSession;
  readonly schema: ExtractionSchema;
  /** Whether its document is not being read anew. */
  readonly isReady: boolean;
}

/** What a resolution changes about an item. */
export interface ResolvedValue {
  readonly status: ValueStatus;
  readonly value: unknown;
  readonly comment: string | null;
}

/**
 * What a resolution makes of an item; undefined where the caller has said the same before.
 * @throws Outdated where somebody else has resolved or claimed it, or the version is another; Conflict where the session is
 * completed, or the document is being read; BadRequest where the value does not fit
 */
export function resolve(
  caller: Caller,
  { item, session, schema, isReady }: ReviewedItem,
  input: ResolutionInput,
): ResolvedValue | undefined {
  const resolved = toResolved(item, schema, input);
  const isOwn = item.resolvedBy === caller.userId;
  if (isOwn && item.status === resolved.status && isDeepStrictEqual(item.value ?? null, resolved.value))
    return undefined;
  if (session.completedTime)
    throw new Outdated('The session is completed: nothing is resolved any more.', toWire(item));
  if (!isReady) throw new Conflict('conflict', 'The document is being read anew: resolve it when that is done.');
  if (item.status !== 'pending' && !isOwn) throw new Outdated('Somebody else has resolved it.', toWire(item));
  if (isClaimedByOther(item, caller)) throw new Outdated('Somebody else has claimed it.', toWire(item));
  const { version } = input;
  const isStale = item.status === 'pending' ? (version ?? item.version) !== item.version : version !== item.version;
  if (isStale) throw new Outdated(`The version is ${item.version} now.`, toWire(item));
  return resolved;
}

/** The version that an entity tag names; undefined: none. @throws BadRequest where it is no version */
export function versionOf(ifMatch: string | null | undefined): number | undefined {
  if (ifMatch === undefined || ifMatch === null || ifMatch.trim() === '*') return undefined;
  const [, digits] = /^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(ifMatch) ?? [];
  if (digits === undefined) throw new BadRequest('If-Match must be the version of the item, such as "3".', 'if_match');
  return Number(digits);
}

/** Whether the lease of another person on an item has not lapsed. */
function isClaimedByOther({ status, claimedBy, claimedUntilTime }: DocumentValue, { userId }: Caller): boolean {
  return status === 'pending' && claimedBy !== null && claimedBy !== userId && Number(claimedUntilTime) > Date.now();
}

function toResolved({ field, proposedValue }: DocumentValue, schema: ExtractionSchema, input: ResolutionInput) {
  const { action, value } = input;
  const hasValue = value !== undefined && value !== null;
  if (action !== 'correct' && hasValue) throw new BadRequest('Only `correct` takes a value.', 'value');
  if (action === 'correct' && !hasValue)
    throw new BadRequest('`correct` needs a value; `reject` says that there is none.', 'value');
  if (action === 'correct') requireFieldValue(fieldAt(schema, field), value);
  const comment = checkedComment(input.comment ?? null);
  const kept = action === 'accept' ? (proposedValue ?? null) : action === 'correct' ? value : null;
  return { status: STATUS[action], value: kept, comment };
}

function fieldAt(schema: ExtractionSchema, path: string): SchemaField {
  const field = findField(schema, parsePath(path) ?? []);
  if (!field) throw new Error('A review item has no field.');
  return field;
}

function checkedComment(comment: string | null): string | null {
  if (comment === null || comment === '') return null;
  if ([...comment].length > MAX_COMMENT) {
    throw new BadRequest(`comment must have at most ${MAX_COMMENT} characters.`, 'comment');
  }
  if (!comment.isWellFormed() || comment.includes('\0'))
    throw new BadRequest('comment must be Unicode text.', 'comment');
  return comment;
}

/** An item as REST answers it (schema/rest/documents/fragments.graphql). */
export function toWire(item: DocumentValue): JsonObject {
  return {
    id: item.id,
    object: item.object,
    document_id: item.documentId,
    field: item.field,
    proposed_value: item.proposedValue ?? null,
    confidence: item.confidence,
    quote: item.quote,
    page: item.page,
    bbox: item.bbox,
    origin: item.origin,
    extractor: item.extractor,
    reason: item.reason,
    status: item.status,
    value: item.value ?? null,
    version: item.version,
    comment: item.comment,
    resolved_by: item.resolvedBy,
    resolved_at: item.resolvedAt,
    claimed_by: item.claimedBy,
    claimed_until: item.claimedUntil,
  };
}
