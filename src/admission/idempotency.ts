import { Kind, print } from 'graphql';
import type {
  DefinitionNode,
  DocumentNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import type { CallClaim } from './call-claim.js';
import type { Caller } from '../access/caller.js';
import type { RequestContext } from '../context.js';
import { BadRequest } from '../errors.js';
import { requireAccess } from '../access/access-rule.js';
import type { Graph } from '../graph/graph.js';

const KEY = /^[\x20-\x7e]{16,255}$/;
/** Larger answers are not kept. */
const MAX_STORED_BYTES = 1024 * 1024;
/** Statuses that tell of the moment and not of the request. */
const TRANSIENT_STATUSES = new Set([408, 409, 429, 499]);

/** An answer as it was sent the first time. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What a key was sent with. */
export interface IdempotentRequest {
  readonly caller: Caller;
  readonly key: string;
  readonly method: string;
  readonly path: string;
  /** All that decides what the request asks for beside its path. */
  readonly content: readonly unknown[];
  /** Whether the operation is a call of a model, whose record takes the claim; otherwise the attempt claims by itself. */
  readonly isCall: boolean;
}

/** One attempt at what an Idempotency-Key stands for. */
export interface Attempt {
  /** Whether it is a call of a model. */
  readonly isCall: boolean;
  /** For the record of the call that is made. */
  readonly claim: CallClaim;
  /**
   * The answer of an earlier attempt; undefined where this one is the first.
   * @throws IdempotencyConflict, Unavailable
   */
  begin(): Promise<StoredResponse | undefined>;
  /** The answer of an attempt that ended while this one began. */
  find(): Promise<StoredResponse | undefined>;
  /** Keeps the answer, before the client sees its end. An undefined one is too large, and can only be refused again. */
  keep(answer: StoredResponse | undefined): Promise<void>;
  /** Nothing was made: the next attempt is the first again. */
  release(): Promise<void>;
}

/**
 * Begins an attempt, and hands its claim on to the record of the call. Whoever is refused has used nothing of a limit.
 * @returns the answer of an earlier attempt
 * @throws as the attempt does
 */
export async function beginAttempt(attempt: Attempt, context: RequestContext): Promise<StoredResponse | undefined> {
  try {
    const kept = await attempt.begin();
    if (!kept) context.claim = attempt.claim;
    return kept;
  } catch (error) {
    await context.refundRateLimit?.();
    throw error;
  }
}

/** Makes attempts; metering implements it. */
export interface Idempotency {
  attempt(request: IdempotentRequest): Attempt;
}

/** @throws BadRequest where it has not the right form */
export function checkIdempotencyKey(key: string): string {
  if (KEY.test(key)) return key;
  throw new BadRequest('Idempotency-Key must be 16 to 255 printable ASCII characters.', 'Idempotency-Key');
}

/** Whether an answer may be told again. */
export function isReplayable(status: number): boolean {
  return status < 500 && !TRANSIENT_STATUSES.has(status);
}

/** Collects an answer for as long as it is small enough to be kept. */
export class ResponseBuffer {
  private readonly parts: Buffer[] = [];
  private size = 0;

  add(bytes: Uint8Array): void {
    this.size += bytes.length;
    if (this.size > MAX_STORED_BYTES) this.parts.length = 0;
    else this.parts.push(Buffer.from(bytes));
  }

  /** Undefined: it was too large. */
  get whole(): Buffer | undefined {
    return this.size > MAX_STORED_BYTES ? undefined : Buffer.concat(this.parts);
  }
}

/** A JSON answer to be kept; undefined where it is too large. */
export function toStoredJson(status: number, headers: Readonly<Record<string, string>>, value: unknown) {
  const copy = new ResponseBuffer();
  if (status !== 204) copy.add(Buffer.from(JSON.stringify(value)));
  const body = copy.whole;
  const type: Record<string, string> = status === 204 ? {} : { 'content-type': 'application/json; charset=utf-8' };
  return body && { status, headers: { ...type, ...headers }, body };
}

/** What a GraphQL operation asks for. */
export interface IdempotentOperation {
  readonly document: DocumentNode;
  /** The operation of the document that is meant. */
  readonly operation: OperationDefinitionNode | undefined;
  readonly variables: unknown;
}

/**
 * What the Idempotency-Key of a GraphQL operation stands for. Undefined without one, and for operations that it has no
 * meaning for: those that anyone may use, or that make nothing.
 * @throws BadRequest, also for several root fields, of which each would need a key; Unauthorized, Forbidden
 */
export function attemptOfOperation(
  { document, operation, variables }: IdempotentOperation,
  context: RequestContext,
  graph: Graph,
  idempotency: Idempotency,
): Attempt | undefined {
  const { caller, byok, idempotencyKey } = context;
  if (idempotencyKey === undefined || !caller || !operation || operation.operation === 'query') return undefined;
  const isMutation = operation.operation === 'mutation';
  const [field, ...others] = rootFieldsOf(document, operation.selectionSet).values();
  if (field === undefined) return undefined;
  if (others.length > 0) {
    throw new BadRequest('With an Idempotency-Key an operation has one root field; send each with a key of its own.');
  }
  const { rule } = graph.accessOf(isMutation ? 'Mutation' : 'Subscription', field);
  const isCall = rule?.limited === true;
  // A stream is made by whoever asks for it, unless a model is paid for it.
  if (!rule || (!isMutation && !isCall)) return undefined;
  // Before it is counted.
  requireAccess(context, rule);
  const key = checkIdempotencyKey(idempotencyKey);
  const content = [print(document), variables, operation.name?.value, byok];
  return idempotency.attempt({ caller, key, method: 'POST', path: '/graphql', content, isCall });
}

/** The root fields of a valid operation by their places in the answer, those in fragments too. */
function rootFieldsOf(
  document: DocumentNode,
  { selections }: SelectionSetNode,
  fields = new Map<string, string>(),
  spread = new Set<string>(),
): Map<string, string> {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) {
      const name = selection.name.value;
      if (name !== '__typename') fields.set(selection.alias?.value ?? name, name);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      rootFieldsOf(document, selection.selectionSet, fields, spread);
    } else if (!spread.has(selection.name.value)) {
      spread.add(selection.name.value);
      const isIt = (entry: DefinitionNode): entry is FragmentDefinitionNode =>
        entry.kind === Kind.FRAGMENT_DEFINITION && entry.name.value === selection.name.value;
      const fragment = document.definitions.find(isIt);
      if (fragment) rootFieldsOf(document, fragment.selectionSet, fields, spread);
    }
  }
  return fields;
}

/**
 * Begins the attempt of a GraphQL operation. A call of a model is counted here, as it is over REST: what is answered
 * again is never executed, where fields are counted.
 * @returns the answer of an earlier attempt, of which the reply tells
 * @throws as the attempt does; RateLimited
 */
export async function beginOperation(
  attempt: Attempt | undefined,
  context: RequestContext,
  graph: Graph,
): Promise<StoredResponse | undefined> {
  if (!attempt) return undefined;
  if (attempt.isCall) await graph.countCall(context);
  const kept = await beginAttempt(attempt, context);
  if (kept) context.reply.set('idempotency-replayed', 'true');
  return kept;
}
