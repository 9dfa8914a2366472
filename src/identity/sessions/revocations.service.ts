import type { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../access/caller.js';
import type { PlatformError } from '../../errors.js';
import { callAt } from '../../platform/async/call-at.js';
import { ACCESS_TOKEN_SECONDS } from '../tokens/access-token.js';
import type { RevocationKind } from './revocation.entity.js';
import { tokenRevoked } from '../tokens/token-errors.js';

/** Rows that are committed late are not missed as long as their transaction took no longer than this. */
const OVERLAP_SECONDS = 30;
/** How long a revocation outlives the last token that it concerns, for clocks that differ. */
const MARGIN_SECONDS = 60;

/** A revocation that has been written; `announce` makes this process act on it. */
export interface Revoked {
  readonly kind: RevocationKind;
  readonly subject: string;
  /** For users: tokens with a lower version are worthless. */
  readonly minVersion: number | null;
  /** From when on it counts; null: from the beginning. */
  readonly effectiveAt: Date | null;
  readonly expiresAt: Date;
}

/** What a revocation may say beyond its subject. */
export interface RevocationTerms {
  /** For users: tokens with a lower version are worthless. */
  readonly minVersion?: number;
  /** From when on it counts; left out: at once. */
  readonly effectiveAt?: Date;
}

interface Watcher {
  readonly caller: Caller;
  readonly ended: (reason: PlatformError) => void;
}

/**
 * Which tokens have ended before they expire. All of them are kept in memory, so that a check costs nothing;
 * the database makes them durable and carries them to the other replicas.
 */
export class RevocationsService {
  private readonly revoked: Readonly<Record<RevocationKind, Map<string, Revoked>>> = {
    token: new Map(),
    session: new Map(),
    user: new Map(),
  };
  private readonly watchers = new Set<Watcher>();
  private polledAt = 0;

  constructor(private readonly dataSource: DataSource) {}

  /** Reads all that have not expired. */
  async load(): Promise<void> {
    const startedAt = performance.now();
    await this.read('expires_at > now()', []);
    this.polledAt = startedAt;
  }

  /** Reads what other replicas have written since the last time. */
  async poll(): Promise<void> {
    const startedAt = performance.now();
    const seconds = OVERLAP_SECONDS + (startedAt - this.polledAt) / 1_000;
    await this.read('created_at > now() - make_interval(secs => $1)', [seconds]);
    this.polledAt = startedAt;
  }

  /** Writes a revocation within a transaction; to be announced once that is committed. */
  async write(
    tx: EntityManager,
    kind: RevocationKind,
    subject: string,
    { minVersion, effectiveAt }: RevocationTerms = {},
  ): Promise<Revoked> {
    const [row] = await tx.query<Revoked[]>(
      `INSERT INTO revocations (kind, subject, min_version, effective_at, created_at, expires_at)
       VALUES ($1, $2, $3, $4, now(), greatest(now(), $4) + make_interval(secs => $5))
       ON CONFLICT (kind, subject) DO UPDATE
       SET min_version = EXCLUDED.min_version, effective_at = EXCLUDED.effective_at,
           created_at = EXCLUDED.created_at, expires_at = EXCLUDED.expires_at
       RETURNING ${COLUMNS}`,
      [kind, subject, minVersion, effectiveAt, ACCESS_TOKEN_SECONDS + MARGIN_SECONDS],
    );
    return row as Revoked;
  }

  /** Ends what a revocation concerns in this process, at once or when it takes effect. */
  announce(revocation: Revoked): void {
    const known = this.revoked[revocation.kind].get(revocation.subject);
    // Polls read a row again and again, and may have read it before it was written again.
    if (known && !reachesFurther(revocation, known)) return;
    this.revoked[revocation.kind].set(revocation.subject, revocation);
    if (hasTakenEffect(revocation)) this.endRevoked();
    else callAt(effectOf(revocation), () => this.endRevoked());
  }

  /** Whether a caller's token has ended. */
  isRevoked(caller: Caller): boolean {
    const { token, session, user } = this.revoked;
    return (
      hasTakenEffect(token.get(caller.tokenId)) ||
      (caller.credential === 'jwt' ? session.has(caller.sessionId) : hasTakenEffect(token.get(caller.secretHash))) ||
      (user.get(caller.userId)?.minVersion ?? 0) > caller.userVersion
    );
  }

  /** Calls `ended` once when the caller's token ends; the returned function stops watching. */
  watch(caller: Caller, ended: (reason: PlatformError) => void): () => void {
    const watcher = { caller, ended };
    this.watchers.add(watcher);
    // It may have ended since the caller was verified; the function to stop with comes first all the same.
    if (this.isRevoked(caller)) queueMicrotask(() => this.end(watcher));
    return () => this.watchers.delete(watcher);
  }

  /** Forgets, here and in the database, what has expired. */
  async prune(): Promise<void> {
    const now = Date.now();
    for (const entries of Object.values(this.revoked)) {
      for (const { subject, expiresAt } of entries.values()) if (expiresAt.getTime() < now) entries.delete(subject);
    }
    await this.dataSource.query('DELETE FROM revocations WHERE expires_at < now()');
  }

  private async read(where: string, parameters: unknown[]): Promise<void> {
    const rows = await this.dataSource.query<Revoked[]>(
      `SELECT ${COLUMNS} FROM revocations WHERE ${where}`,
      parameters,
    );
    for (const row of rows) this.announce(row);
  }

  private endRevoked(): void {
    for (const watcher of this.watchers) if (this.isRevoked(watcher.caller)) this.end(watcher);
  }

  private end(watcher: Watcher): void {
    if (this.watchers.delete(watcher)) watcher.ended(tokenRevoked());
  }
}

const COLUMNS = 'kind, subject, min_version AS "minVersion", effective_at AS "effectiveAt", expires_at AS "expiresAt"';

/** Unix milliseconds. */
function effectOf({ effectiveAt }: Revoked): number {
  return effectiveAt?.getTime() ?? 0;
}

function hasTakenEffect(revocation: Revoked | undefined): boolean {
  return revocation !== undefined && effectOf(revocation) <= Date.now();
}

function reachesFurther(next: Revoked, known: Revoked): boolean {
  return (next.minVersion ?? 0) > (known.minVersion ?? 0) || effectOf(next) < effectOf(known);
}
