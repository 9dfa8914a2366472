import { setTimeout as delay, setImmediate as endOfTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isDatabaseUnavailable, isWorthRepeating } from '../../platform/database/postgres-errors.js';
import type { Database } from '../../platform/database/database.js';
import { Unavailable } from '../../errors.js';
import { flushValues, LEDGER_FLUSH, verdictOf } from './ledger-flush.js';
import type { FlushSettings, VerdictRow } from './ledger-flush.js';
import type { Intent, RunningClaim, Settlement, Verdict } from './ledger.types.js';

/** The most calls in one statement; the embedded database's only connection must not be held for longer than 10 ms. */
const BATCH_CALLS = 1_000;
const EMBEDDED_BATCH_CALLS = 100;
/** From the beginning of an attempt to that of the next: behind a lost connection the database may be there at once. */
const RETRY_MS = 100;
/** How long the end of the process waits for calls whose clients have just left. */
const CLOSE_GRACE_MS = 1_500;
const POLL_MS = 10;

/** How long the beginning and the end of an answer wait for their record. */
const LEDGER_TIMEOUT_MS = 5_000;

/** Which call, on whatever replica, has a claim. */
const CLAIM_HOLDER = `
  SELECT state, claim_fingerprint AS fingerprint, is_unattended AS "isUnattended" FROM calls WHERE claim_id = $1`;
const LEAVE = "UPDATE calls SET is_unattended = true WHERE claim_id = $1 AND state = 'open' RETURNING id";

interface PendingEntry<T, R> {
  readonly entry: T;
  readonly done: (result: R) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * The way of this process to the ledger. One statement is in flight: it takes whatever has come since the last one
 * began, so a lone call waits for one round trip and a busy server for one round trip a batch. A flush that fails is
 * sent again until it is written, which changes nothing where it had been written before.
 */
export class Ledger {
  private intents: PendingEntry<Intent, Verdict>[] = [];
  private settlements: PendingEntry<Settlement, void>[] = [];
  /** Calls that have been told and are not settled. */
  private readonly open = new Set<string>();
  private running: Promise<void> | undefined;
  private failingSince: number | undefined;
  private closed = false;
  private readonly largestBatch: number;
  private batch: number;
  private readonly flush: (values: unknown[]) => Promise<VerdictRow[]>;
  private readonly selectHolder: (values: unknown[]) => Promise<RunningClaim[]>;
  private readonly updateLeft: (values: unknown[]) => Promise<unknown[]>;

  constructor(
    database: Pick<Database, 'prepare' | 'embedded'>,
    private readonly settings: FlushSettings,
    private readonly log: Logger,
  ) {
    this.flush = database.prepare<VerdictRow>('ledger_flush', LEDGER_FLUSH);
    this.selectHolder = database.prepare<RunningClaim>('claim_holder', CLAIM_HOLDER);
    this.updateLeft = database.prepare<object>('leave_claim', LEAVE);
    this.largestBatch = database.embedded ? EMBEDDED_BATCH_CALLS : BATCH_CALLS;
    this.batch = this.largestBatch;
  }

  /** Whether somebody in this process will settle the call. */
  isOpen(callId: string): boolean {
    return this.open.has(callId);
  }

  /** The call that has a claim, as far as the database tells; `admit` decides. */
  async findHolder(claimId: string): Promise<RunningClaim | undefined> {
    const [holder] = await this.selectHolder([claimId]);
    return holder;
  }

  /** Notes that the client of a claim's call has left. @returns false where no call that is open has the claim, or not yet */
  async leave(claimId: string): Promise<boolean> {
    const calls = await this.updateLeft([claimId]);
    return calls.length > 0;
  }

  /**
   * Resolves when the intent is durable, or refused, in which case nothing has changed.
   * @throws Unavailable where that takes longer than 5 s; the call has then not been made
   */
  async admit(intent: Intent): Promise<Verdict> {
    if (this.failingMilliseconds > LEDGER_TIMEOUT_MS) throw ledgerUnavailable();
    this.open.add(intent.id);
    const admission = new Promise<Verdict>((done, fail) => {
      this.intents.push({ entry: intent, done, fail });
      this.running ??= this.run();
    });
    try {
      const verdict = await withLedgerTimeout(admission);
      if (verdict.kind !== 'admitted') this.open.delete(intent.id);
      return verdict;
    } catch (error) {
      void this.withdraw(intent, admission);
      throw error;
    }
  }

  /** Resolves when the settlement is durable; it is written once, however often it is told. */
  async settle(settlement: Settlement): Promise<void> {
    try {
      await new Promise<void>((done, fail) => {
        this.settlements.push({ entry: settlement, done, fail });
        this.running ??= this.run();
      });
    } finally {
      this.open.delete(settlement.id);
    }
  }

  /**
   * Waits a moment for the calls that are open to be settled, writes what is waiting, for at most one try once the
   * database fails, and stops. What is left is recovered later.
   */
  async close(): Promise<void> {
    const until = Date.now() + CLOSE_GRACE_MS;
    while (this.open.size > 0 && this.failingSince === undefined && Date.now() < until) await delay(POLL_MS);
    this.closed = true;
    await this.running;
    const calls = this.settlements.length;
    if (calls > 0) this.log.error({ calls }, 'the ends of calls could not be written before the process ended');
  }

  /** Milliseconds for which writing has failed; 0 while it works. */
  private get failingMilliseconds(): number {
    return this.failingSince === undefined ? 0 : Date.now() - this.failingSince;
  }

  /** Settles an intent that was admitted too late with nothing: its caller has been refused. */
  private async withdraw(intent: Intent, admission: Promise<Verdict>): Promise<void> {
    const { id, tenantId, userId, period } = intent;
    const nothing = {
      state: 'exact',
      outcome: 'failed',
      promptTokens: 0,
      completionTokens: 0,
      audioMs: 0,
      durationMs: 0,
    } as const;
    try {
      const { kind } = await admission;
      if (kind === 'admitted') await this.settle({ id, tenantId, userId, period, ...nothing, keepClaim: false });
    } catch {
      // It never came into the ledger.
    } finally {
      this.open.delete(id);
    }
  }

  private async run(): Promise<void> {
    while (this.intents.length > 0 || this.settlements.length > 0) {
      // Calls come together, and those that a flush has let go on come again: one flush takes them all.
      await endOfTurn();
      const settlements = this.settlements.splice(0, this.batch);
      const intents = this.intents.splice(0, Math.max(0, this.batch - settlements.length));
      const startedAt = performance.now();
      try {
        await this.write(intents, settlements);
        this.failingSince = undefined;
        this.batch = this.largestBatch;
      } catch (error) {
        this.takeBack(error, intents, settlements);
        if (this.failingSince === undefined) continue;
        if (this.closed) break;
        await delay(Math.max(0, RETRY_MS - (performance.now() - startedAt)));
      }
    }
    this.running = undefined;
  }

  private async write(
    intents: PendingEntry<Intent, Verdict>[],
    settlements: PendingEntry<Settlement, void>[],
  ): Promise<void> {
    const values = flushValues(
      this.settings,
      intents.map(({ entry }) => entry),
      settlements.map(({ entry }) => entry),
    );
    const rows = await this.flush(values);
    for (const { done } of settlements) done();
    const verdicts = new Map(rows.map((row) => [row.call_id, row]));
    for (const { entry, done } of intents) done(verdictOf(verdicts.get(entry.id)));
  }

  /** Puts a batch back, to be written when the database is there again, or in parts where one call spoils it. */
  private takeBack(
    error: unknown,
    intents: PendingEntry<Intent, Verdict>[],
    settlements: PendingEntry<Settlement, void>[],
  ): void {
    const unavailable = isDatabaseUnavailable(error);
    if (unavailable && this.failingSince === undefined) {
      this.log.warn({ err: error }, 'the ledger waits for the database');
      this.failingSince = Date.now();
    }
    const size = intents.length + settlements.length;
    if (unavailable || isWorthRepeating(error) || size > 1) {
      if (!unavailable && size > 1) this.batch = Math.ceil(size / 2);
      this.intents = [...intents, ...this.intents];
      this.settlements = [...settlements, ...this.settlements];
      return;
    }
    this.log.error({ err: error }, 'the ledger cannot take a call');
    for (const { fail } of [...intents, ...settlements]) fail(error);
  }
}

/**
 * Waits for a record, but no longer than 5 s.
 * @throws Unavailable where it takes longer; what was promised goes on
 */
export async function withLedgerTimeout<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(ledgerUnavailable()), LEDGER_TIMEOUT_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** 503 while the ledger cannot be written. */
function ledgerUnavailable(): Unavailable {
  return new Unavailable('Usage cannot be recorded at the moment. Please try again.', 5);
}
