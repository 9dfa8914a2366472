import type { DataSource, EntityManager } from 'typeorm';
import type { Principal, TokenReference } from '../../access/caller.js';
import type { PlatformError } from '../../errors.js';
import { callAt } from '../../platform/async/call-at.js';
import type { Topics } from '../../platform/cluster/topics.js';
import { PolledTable } from '../../platform/cluster/polled-table.js';
import { ACCESS_TOKEN_SECONDS } from '../tokens/signing-keys.service.js';
import type { RevocationKind } from './revocation.entity.js';
import { tokenRevoked } from '../tokens/token-errors.js';

/** How long a revocation outlives the last token that it concerns, for clocks that differ. */
const MARGIN_SECONDS = 60;

/** Told by whoever has revoked something; the database says what. */
const TOPIC = 'revocations';

const COLUMNS = 'kind, subject, min_version AS "minVersion", effective_at AS "effectiveAt", expires_at AS "expiresAt"';
const READ = `
  SELECT ${COLUMNS} FROM revocations
  WHERE expires_at > now() AND ($1::float8 IS NULL OR created_at > now() - make_interval(secs => $1))`;

const END_USERS = `
  WITH changed AS (
    UPDATE users SET user_version = user_version + 1 WHERE id = ANY ($1::text[]) RETURNING id, user_version
  ), ended AS (
    UPDATE sessions SET ended_at = now() WHERE user_id = ANY ($1::text[]) AND ended_at IS NULL
  )
  INSERT INTO revocations (kind, subject, min_version, created_at, expires_at)
  SELECT 'user', id, user_version, now(), now() + make_interval(secs => $2) FROM changed
  ON CONFLICT (kind, subject) DO UPDATE
  SET min_version = EXCLUDED.min_version, created_at = EXCLUDED.created_at, expires_at = EXCLUDED.expires_at
  RETURNING ${COLUMNS}`;

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
  readonly principal: Principal;
  readonly ended: (reason: PlatformError) => void;
}

/**
 * Which tokens have ended before they expire. All of them are kept in memory, so that a check costs nothing;
 * the database makes them durable and carries them to the other replicas.
 */
export class RevocationsService {
  private readonly revoked = new PolledTable<Revoked>({
    // Ids of users and of tokens, and SHA-256 hashes of random secrets: no two kinds share a subject.
    keyOf: ({ subject }) => subject,
    read: async (changedWithinSeconds) => ({ rows: await this.dataSource.query(READ, [changedWithinSeconds]) }),
    supersedes: reachesFurther,
    changed: (revocation) => this.act(revocation),
  });
  private readonly watchers = new Set<Watcher>();

  /** Whether others are about to be told. */
  private isTelling = false;
  /** Whether others have told something that is not read yet, and whether it is being read. */
  private isBehind = false;
  private isCatchingUp = false;

  /** @param topics reach the other replicas; undefined: they look by themselves, or there are none */
  constructor(
    private readonly dataSource: DataSource,
    private readonly topics?: Topics,
  ) {}

  /** Reads what others have written as soon as they tell; the returned function ends that. */
  listen(): () => void {
    return this.topics?.subscribe(TOPIC, () => void this.catchUp()) ?? (() => undefined);
  }

  /** Reads all that have not expired, and from the second time on what other replicas have written since. */
  refresh(): Promise<void> {
    return this.revoked.refresh();
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

  /**
   * Raises the version of users and ends their sessions within a transaction: whatever they have signed in with before
   * is worthless.
   * @returns what is to be announced once that is committed
   */
  async endUsers(tx: EntityManager, userIds: readonly string[]): Promise<Revoked[]> {
    return tx.query<Revoked[]>(END_USERS, [userIds, ACCESS_TOKEN_SECONDS + MARGIN_SECONDS]);
  }

  /** Ends what a revocation concerns in this process, at once or when it takes effect. */
  announce(revocation: Revoked): void {
    this.revoked.put(revocation);
    if (this.isTelling || !this.topics) return;
    // Many are announced at once where many users change.
    this.isTelling = true;
    setImmediate(() => {
      this.isTelling = false;
      this.topics?.publish(TOPIC, {});
    });
  }

  /** Whether a caller's token has ended. */
  isRevoked(principal: TokenReference): boolean {
    return (
      hasTakenEffect(this.find('token', principal.tokenId)) ||
      (principal.credential === 'jwt'
        ? this.find('session', principal.sessionId) !== undefined
        : hasTakenEffect(this.find('token', principal.secretHash))) ||
      (this.find('user', principal.userId)?.minVersion ?? 0) > principal.userVersion
    );
  }

  /** Calls `ended` once when the caller's token ends; the returned function stops watching. */
  watch(principal: Principal, ended: (reason: PlatformError) => void): () => void {
    const watcher = { principal, ended };
    this.watchers.add(watcher);
    // It may have ended since the token was verified; the function to stop with comes first all the same.
    if (this.isRevoked(principal)) queueMicrotask(() => this.end(watcher));
    return () => this.watchers.delete(watcher);
  }

  /** Forgets, here and in the database, what has expired. */
  async prune(): Promise<void> {
    const now = Date.now();
    for (const [key, { expiresAt }] of this.revoked.rows) if (expiresAt.getTime() < now) this.revoked.delete(key);
    await this.dataSource.query('DELETE FROM revocations WHERE expires_at < now()');
  }

  private find(kind: RevocationKind, subject: string): Revoked | undefined {
    const revocation = this.revoked.get(subject);
    return revocation?.kind === kind ? revocation : undefined;
  }

  private async catchUp(): Promise<void> {
    this.isBehind = true;
    if (this.isCatchingUp) return;
    this.isCatchingUp = true;
    while (this.isBehind) {
      this.isBehind = false;
      // A failure is told by the task that looks all the same.
      await this.refresh().catch(() => undefined);
    }
    this.isCatchingUp = false;
  }

  private act(revocation: Revoked): void {
    if (hasTakenEffect(revocation)) this.endRevoked();
    else callAt(effectOf(revocation), () => this.endRevoked());
  }

  private endRevoked(): void {
    for (const watcher of this.watchers) if (this.isRevoked(watcher.principal)) this.end(watcher);
  }

  private end(watcher: Watcher): void {
    if (this.watchers.delete(watcher)) watcher.ended(tokenRevoked());
  }
}

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
