import { createHmac, hkdfSync } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { CallClaim } from '../../admission/call-claim.js';
import { IdempotencyConflict } from '../../errors.js';
import { unlessAborted } from '../../platform/async/unless-aborted.js';
import { newId } from '../../platform/ids.js';
import type { SealedStore } from '../../platform/cluster/sealed-store.js';
import { seal, unseal } from '../../platform/crypto/sealing.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import type { Idempotency, IdempotencyAttempt, IdempotentRequest } from '../../admission/idempotency.js';
import type { StoredResponse } from '../../admission/stored-response.js';
import { conflictOf, requireSameRequest } from './claim-conflict.js';
import { ClaimTurns } from './claim-turns.js';
import type { OwnTurn } from './claim-turns.js';
import { withLedgerTimeout } from './ledger.js';
import type { Ledger } from './ledger.js';
import type { Intent } from './ledger.types.js';
import { periodOf } from '../../platform/month.js';

/** How long an answer can be asked for again. */
const TTL_SECONDS = 24 * 3_600;
/** How often it is asked whether the call of another replica is over. */
const POLL_MS = 250;
/** How often it is asked whether the call of a client who has left is recorded yet: sooner than others ask for that. */
const RECORDED_MS = 50;

interface IdempotencyParts {
  readonly secretBox: SecretBox;
  readonly ledger: Ledger;
  /** For answers of operations that store nothing themselves. */
  readonly store: SealedStore;
  readonly log: Logger;
}

/**
 * Replays responses for the same key. A key is claimed by a row of the ledger, so by one attempt on any replica. What
 * was answered is sealed under a key that only the caller's own credential gives: in the row where the operation stores
 * what it makes; in memory or Redis, and nowhere else, where it is a call of a model.
 */
export class IdempotencyService implements Idempotency {
  private readonly turns = new ClaimTurns();

  constructor(private readonly parts: IdempotencyParts) {}

  attempt(request: IdempotentRequest): IdempotencyAttempt {
    const { caller, key, method, path, content, isCall } = request;
    const id = this.parts.secretBox.mac('idempotency', caller.tenantId, caller.userId, method, path, key);
    const answerKey = Buffer.from(hkdfSync('sha256', caller.answerKey, key, 'idempotency', 32));
    const mac = (...parts: string[]): string => {
      const hmac = createHmac('sha256', answerKey);
      for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
      return hmac.digest('base64url');
    };
    // The first half is the credential's, the second the request's: a bare hash of a prompt would tell it from others.
    const fingerprint = `${mac('credential').slice(0, 22)}.${mac('content', JSON.stringify(content))}`;
    const claim = { id: id.toString('base64url'), fingerprint };
    return isCall
      ? new CallAttempt(claim, answerKey, { ...this.parts, turns: this.turns }, caller.userId)
      : new RecordedAttempt(claim, answerKey, this.parts, request);
  }
}

abstract class SealedAttempt {
  constructor(
    protected readonly claim: CallClaim,
    private readonly answerKey: Buffer,
    protected readonly parts: IdempotencyParts,
  ) {}

  protected seal({ status, headers, body }: StoredResponse): Buffer {
    const head = Buffer.from(JSON.stringify({ status, headers, fingerprint: this.claim.fingerprint }));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(head.length);
    return seal(this.answerKey, Buffer.concat([length, head, body]), Buffer.from(this.claim.id));
  }

  /** @throws IdempotencyConflict where it was kept for another credential or another content */
  protected open(sealed: Buffer): StoredResponse {
    const plaintext = unseal(this.answerKey, sealed, Buffer.from(this.claim.id));
    if (!plaintext) throw new IdempotencyConflict('idempotency_not_replayable');
    const end = 4 + plaintext.readUInt32BE();
    const { status, headers, fingerprint } = JSON.parse(plaintext.toString('utf8', 4, end)) as StoredResponse &
      CallClaim;
    if (fingerprint !== this.claim.fingerprint) throw new IdempotencyConflict('idempotency_mismatch');
    return { status, headers, body: plaintext.subarray(end) };
  }
}

/**
 * The record of the call takes the claim, and its settlement keeps or frees it; here is the answer alone. Whoever asks for it
 * while it is made waits for it where the client of the call has left.
 */
class CallAttempt extends SealedAttempt implements IdempotencyAttempt {
  private turn: OwnTurn | undefined;
  private isOver = false;

  /** @param owner the id of the user, whose room the answer takes */
  constructor(
    claim: CallClaim,
    answerKey: Buffer,
    protected override readonly parts: IdempotencyParts & { readonly turns: ClaimTurns },
    private readonly owner: string,
  ) {
    super(claim, answerKey, parts);
  }

  get callClaim(): CallClaim {
    return this.claim;
  }

  async begin(signal: AbortSignal): Promise<StoredResponse | undefined> {
    this.turn = await this.parts.turns.take(this.claim, signal);
    try {
      const answer = await this.findOrWait(signal);
      if (answer) this.close();
      return answer;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  async find(): Promise<StoredResponse | undefined> {
    // While the store is away the ledger knows all the same whether the key was used.
    const sealed = await this.parts.store.get(this.handle).catch(() => undefined);
    return sealed && this.open(sealed);
  }

  async store(response: StoredResponse | undefined): Promise<void> {
    if (!response) return;
    try {
      await this.parts.store.set(this.handle, this.seal(response), TTL_SECONDS, this.owner);
    } catch (error) {
      this.parts.log.warn({ err: error }, 'an answer could not be kept for its idempotency key');
    }
  }

  async release(): Promise<void> {}

  leave(): void {
    this.turn?.leave();
    void this.tellOthers().catch((err: unknown) => {
      this.parts.log.warn(
        { err },
        'could not record that a client disconnected: at other processes, retries get 409 until the call has ended',
      );
    });
  }

  close(): void {
    this.isOver = true;
    this.turn?.end();
  }

  /** The client may leave before its call is recorded, as while a knowledge base is searched for it. */
  private async tellOthers(): Promise<void> {
    while (!this.isOver && !(await this.parts.ledger.leave(this.claim.id))) await delay(RECORDED_MS);
  }

  /** The answer of an earlier attempt; while a call without a client is open, wherever it runs, that is waited for. */
  private async findOrWait(signal: AbortSignal): Promise<StoredResponse | undefined> {
    for (let [isOver, isKnown] = [false, false]; ;) {
      const answer = await this.find();
      if (answer || isOver) return answer;
      // While the database is away nothing is known; the record of the call decides.
      const holder = await this.parts.ledger.findHolder(this.claim.id).catch(() => undefined);
      if (!holder) return undefined;
      requireSameRequest(holder, this.claim);
      isOver = holder.state !== 'open';
      // Its client may just be leaving.
      if (!isOver && !holder.isUnattended && isKnown) throw conflictOf(holder, this.claim);
      isKnown = true;
      // The answer of a call that is recorded is there a moment later.
      await unlessAborted(delay(POLL_MS), signal);
    }
  }

  private get handle(): string {
    return `kept-answer:${this.claim.id}`;
  }
}

/** A row of its own in the ledger claims the key and keeps the answer. */
class RecordedAttempt extends SealedAttempt implements IdempotencyAttempt {
  readonly callClaim = undefined;
  private readonly intent: Intent;
  private readonly begunAt = performance.now();
  /** Whether the claim is this attempt's, and not over. */
  private isHeld = false;

  constructor(claim: CallClaim, answerKey: Buffer, parts: IdempotencyParts, { caller }: IdempotentRequest) {
    super(claim, answerKey, parts);
    const createdAt = new Date();
    const { tenantId, userId, tokenId } = caller;
    const owner = { id: newId('call'), tenantId, userId, tokenId, period: periodOf(createdAt) };
    const nothing = { area: null, model: '', backend: '', requestId: '', promptTokens: 0, reservedTokens: 0 };
    this.intent = { ...owner, ...nothing, createdAt, claim };
  }

  async begin(): Promise<StoredResponse | undefined> {
    const verdict = await this.parts.ledger.admit(this.intent);
    this.isHeld = verdict.kind === 'admitted';
    if (verdict.kind !== 'claimed') return undefined;
    const conflict = conflictOf(verdict, this.claim);
    if (verdict.sealedAnswer && conflict.code === 'idempotency_not_replayable') return this.open(verdict.sealedAnswer);
    throw conflict;
  }

  async find(): Promise<undefined> {}

  store(response: StoredResponse | undefined): Promise<void> {
    return this.end(response ? { keepClaim: true, sealedAnswer: this.seal(response) } : { keepClaim: true });
  }

  release(): Promise<void> {
    return this.end({ keepClaim: false });
  }

  leave(): void {}

  close(): void {}

  private async end(claim: { readonly keepClaim: boolean; readonly sealedAnswer?: Buffer }): Promise<void> {
    if (!this.isHeld) return;
    this.isHeld = false;
    const { id, tenantId, userId, period } = this.intent;
    const durationMs = Math.round(performance.now() - this.begunAt);
    const nothing = { state: 'exact', outcome: 'completed', promptTokens: 0, completionTokens: 0 } as const;
    await withLedgerTimeout(
      this.parts.ledger.settle({ id, tenantId, userId, period, durationMs, ...nothing, ...claim }),
    );
  }
}
