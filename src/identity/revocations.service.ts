import type { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../context.js';
import { Unauthorized } from '../errors.js';
import type { PlatformError } from '../errors.js';
import { ACCESS_TOKEN_SECONDS } from './access-token.js';
import type { RevocationKind } from './revocation.entity.js';

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
  readonly expiresAt: Date;
}

interface Watcher {
  readonly caller: Caller;
  readonly ended: (reason: PlatformError) => void;
}

/**
 * Which access tokens have ended before they expire. All of them are kept in memory, so that a check costs nothing;
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

  /**
   * Writes a revocation within a transaction; to be announced once that is committed.
   * @param minVersion for users only
   */
  async write(
    tx: EntityManager,
    kind: RevocationKind,
    subject: string,
    minVersion: number | null = null,
  ): Promise<Revoked> {
    const [row] = await tx.query<Revoked[]>(
      `INSERT INTO revocations (kind, subject, min_version, created_at, expires_at)
       VALUES ($1, $2, $3, now(), now() + make_interval(secs => $4))
       ON CONFLICT (kind, subject) DO UPDATE
       SET min_version = EXCLUDED.min_version, created_at = EXCLUDED.created_at, expires_at = EXCLUDED.expires_at
       RETURNING ${COLUMNS}`,
      [kind, subject, minVersion, ACCESS_TOKEN_SECONDS + MARGIN_SECONDS],
    );
    return row as Revoked;
  }

  /** Ends what a revocation concerns in this process, at once. */
  announce(revocation: Revoked): void {
    const known = this.revoked[revocation.kind].get(revocation.subject);
    // A poll may have read the row before it was written again.
    if (known && (known.minVersion ?? 0) > (revocation.minVersion ?? 0)) return;
    this.revoked[revocation.kind].set(revocation.subject, revocation);
    if (known?.minVersion === revocation.minVersion) return;
    for (const watcher of this.watchers) if (this.isRevoked(watcher.caller)) this.end(watcher);
  }

  /** Whether a caller's token has ended. */
  isRevoked(caller: Caller): boolean {
    const { token, session, user } = this.revoked;
    return (
      token.has(caller.tokenId) ||
      session.has(caller.sessionId) ||
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

  private end(watcher: Watcher): void {
    if (this.watchers.delete(watcher)) watcher.ended(sessionEnded());
  }
}

const COLUMNS = 'kind, subject, min_version AS "minVersion", expires_at AS "expiresAt"';

/** What a caller is told whose token has ended before its time. */
export function sessionEnded(): Unauthorized {
  return new Unauthorized('The session of this token has ended.', 'token_revoked');
}
