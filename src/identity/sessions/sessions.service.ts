import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { IsNull } from 'typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import type { AuditActor } from '../../platform/audit/audit-event.js';
import { actorOf, unknownActor, userActor } from '../../access/audit-actor.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { JwtCaller } from '../../access/caller.js';
import type { Client } from '../../access/client.js';
import { BadRequest, NotFound, Unauthorized } from '../../errors.js';
import { readPage } from '../../graph/connection.js';
import type { Connection, PageArgs, SortOrder } from '../../graph/connection.js';
import { countAtMost } from '../../platform/database/count-at-most.js';
import type { RefreshToken } from './refresh-token.entity.js';
import type { RefreshTokens } from './refresh-tokens.js';
import type { RevocationsService, Revoked } from './revocations.service.js';
import { Session } from './session.entity.js';
import { toSessionView } from './session.types.js';
import type { SessionView } from './session.types.js';
import { newSid, sessionIdOf, sidOf } from './session-secret.js';
import { tokenRevoked } from '../tokens/token-errors.js';
import { User } from '../users/user.entity.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** A refresh token that is not used for this long ends its session. */
const IDLE_MS = 14 * DAY_MS;
/** No session lasts longer than this after its sign-in. */
const LONGEST_MS = 90 * DAY_MS;

/** In PostgreSQL a statement that changes rows can be read from like a table. */
const END_OTHERS = `
  WITH ended AS (
    UPDATE sessions SET ended_at = now() WHERE user_id = $1 AND id <> $2 AND ended_at IS NULL RETURNING id
  ) SELECT id FROM ended`;

/** Of what a client calls itself. */
const MAX_AGENT_CHARACTERS = 300;

/** A session as its user holds it. */
export interface Grant {
  readonly user: User;
  /** Of its tokens. */
  readonly sid: string;
  /** Only its hash is stored. */
  readonly refreshToken: string;
}

/** An attempt to use a refresh token that does not count. */
interface RefusedRotation {
  readonly refusal: Unauthorized;
  /** What has ended with it. */
  readonly revoked?: Revoked;
  /** Whose token it was, where that is known. */
  readonly session?: Session;
  /** For the audit log; undefined where it is told of already. */
  readonly reason?: string;
}

/** How an attempt to use a refresh token ended. */
type Rotation = { readonly grant: Grant } | RefusedRotation;

/** Sessions: each begins with a sign-in, goes on through refresh tokens that work once, and ends for good. */
export class SessionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tokens: RefreshTokens,
    private readonly revocations: RevocationsService,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * Opens a session for a user whose credentials have just been checked.
   * @throws Unauthorized when the user has been changed in the meantime
   */
  async open(client: Client, user: User): Promise<Grant> {
    return this.dataSource.transaction(async (tx) => {
      // A new password or a suspension ends all sessions; it must not miss one that is opened at the same moment.
      const { id, userVersion, passwordHash } = user;
      const unchanged = { id, userVersion, passwordHash: passwordHash ?? IsNull(), status: 'active' } as const;
      const locked = await tx.findOne(User, { where: unchanged, lock: { mode: 'pessimistic_read' } });
      if (!locked) throw new Unauthorized('The account has changed. Please sign in again.');
      const now = new Date();
      const sid = newSid();
      const session = { id: sessionIdOf(sid), userId: user.id, tenantId: user.tenantId };
      await tx.insert(Session, { ...session, ...toColumns(client), createdAt: now, lastUsedAt: now, endedAt: null });
      await this.record(tx, userActor(client, user.id), 'user.sign_in', session);
      return { user: locked, sid, refreshToken: await this.tokens.issue(tx, sid, now) };
    });
  }

  /**
   * Exchanges a refresh token for the next one. One that comes again gives the same next one for a short grace; later it
   * has been stolen by somebody, so it ends the session of both.
   * @throws Unauthorized with `reason` where the token was ours
   */
  async rotate(client: Client, refreshToken: string): Promise<Grant> {
    const rotation = await this.dataSource.transaction((tx) => this.rotateWithin(tx, client, refreshToken));
    if ('grant' in rotation) return rotation.grant;
    if (rotation.revoked) this.revocations.announce(rotation.revoked);
    await this.recordRefusal(client, rotation);
    throw rotation.refusal;
  }

  /** The session that a refresh token belongs to, used or not. */
  async findByRefreshToken(refreshToken: string): Promise<string | undefined> {
    return this.tokens.findSessionId(refreshToken);
  }

  /** Ends a session with all its tokens, on every replica; does nothing if it has ended before. */
  async end(client: Client, sessionId: string): Promise<void> {
    const revoked = await this.dataSource.transaction((tx) => this.endWithin(tx, client, sessionId, 'user.sign_out'));
    if (revoked) this.revocations.announce(revoked);
  }

  /** A page of the caller's sessions that have not ended, by their sign-in. */
  async list(caller: JwtCaller, page: PageArgs): Promise<Connection<SessionView>> {
    const now = Date.now();
    const open = sql`
      FROM sessions WHERE user_id = ${caller.userId} AND ended_at IS NULL
        AND last_used_at > ${new Date(now - IDLE_MS)} AND created_at > ${new Date(now - LONGEST_MS)}`;
    return readPage(page, {
      keyOf: ({ id, createdAt }) => `${createdAt.toISOString()} ${id}`,
      read: async (limit, after, order) => {
        const { text, values } = sql`
          SELECT id, created_at AS "createdAt", last_used_at AS "lastUsedAt", ip, user_agent AS "userAgent" ${open}
          ${behindKey(after, order)} LIMIT ${limit}`;
        const rows = await this.dataSource.query<Session[]>(text, values);
        return rows.map((session) => toSessionView(session, caller.sessionId));
      },
      count: (limit) => countAtMost(this.dataSource, sql`SELECT ${open}`, limit),
    });
  }

  /**
   * Ends a session of the caller.
   * @throws NotFound also for those of others, and for one that has ended
   */
  async endOwn(caller: JwtCaller, id: string): Promise<void> {
    const where = { id, userId: caller.userId, endedAt: IsNull() };
    if (!(await this.dataSource.getRepository(Session).existsBy(where)))
      throw new NotFound('The session does not exist.');
    const revoked = await this.dataSource.transaction((tx) => this.endWithin(tx, caller.client, id, 'session.end'));
    if (revoked) this.revocations.announce(revoked);
  }

  /** Ends every session of the caller but the one that it calls with, together with a change that makes them worthless. */
  async endOthers(caller: JwtCaller, change?: (tx: EntityManager) => Promise<void>): Promise<void> {
    const revoked = await this.dataSource.transaction(async (tx) => {
      await change?.(tx);
      const rows = await tx.query<{ id: string }[]>(END_OTHERS, [caller.userId, caller.sessionId]);
      const owner = { userId: caller.userId, tenantId: caller.tenantId };
      await this.record(tx, actorOf(caller), 'session.end_others', owner, `${rows.length} sessions`);
      return Promise.all(rows.map(({ id }) => this.revocations.write(tx, 'session', id)));
    });
    for (const revocation of revoked) this.revocations.announce(revocation);
  }

  /** Deletes the sessions that nobody can use any more. */
  async prune(): Promise<void> {
    const now = Date.now();
    await this.dataSource
      .createQueryBuilder()
      .delete()
      .from(Session)
      .where('last_used_at < :idle OR created_at < :oldest OR ended_at < :yesterday', {
        idle: new Date(now - IDLE_MS),
        oldest: new Date(now - LONGEST_MS),
        yesterday: new Date(now - DAY_MS),
      })
      .execute();
  }

  /** Answers a refusal instead of throwing it: the end of a session that comes with it has to be committed. */
  private async rotateWithin(tx: EntityManager, client: Client, refreshToken: string): Promise<Rotation> {
    const token = await this.tokens.lock(tx, refreshToken);
    const session = token?.session;
    const user = session?.user;
    if (!token || !session || !user) return { refusal: unusableToken(), reason: 'the refresh token is not known' };
    if (session.endedAt) return { refusal: tokenRevoked(), session, reason: 'the session has ended' };
    if (token.usedAt && !(await this.tokens.isRetry(tx, refreshToken))) {
      const reason = 'a refresh token came twice';
      return { refusal: tokenRevoked(), revoked: await this.endWithin(tx, client, session.id, 'session.end', reason) };
    }
    const now = new Date();
    if (hasExpired(token, session, now)) {
      const refusal = new Unauthorized('The refresh token has expired.', 'token_expired');
      return { refusal, session, reason: 'the refresh token has expired' };
    }
    if (user.status !== 'active') return { refusal: unusableToken(), session, reason: `the account is ${user.status}` };
    await tx.update(Session, { id: session.id }, { ...toColumns(client), lastUsedAt: now });
    const reason = token.usedAt ? 'a refresh token came again within its grace' : undefined;
    await this.record(tx, userActor(client, user.id), 'session.refresh', session, reason);
    const successor = await this.tokens.exchange(tx, token, refreshToken, now);
    return { grant: { user, sid: sidOf(refreshToken), refreshToken: successor } };
  }

  private async recordRefusal(client: Client, { session, reason }: RefusedRotation): Promise<void> {
    if (reason === undefined) return;
    const actor = session ? userActor(client, session.userId) : unknownActor(client);
    const target = session && { type: 'user', id: session.userId };
    const refusal = { tenantId: session?.tenantId ?? null, action: 'session.refresh', target, reason } as const;
    await this.audit.recordRefusal(actor, refusal);
  }

  private async endWithin(
    tx: EntityManager,
    client: Client,
    sessionId: string,
    action: `${'session' | 'user'}.${string}`,
    reason?: string,
  ): Promise<Revoked | undefined> {
    const open = { id: sessionId, endedAt: IsNull() };
    const session = await tx.findOne(Session, { where: open, lock: { mode: 'pessimistic_write' } });
    if (!session) return undefined;
    await tx.update(Session, open, { endedAt: new Date() });
    await this.record(tx, userActor(client, session.userId), action, session, reason);
    return this.revocations.write(tx, 'session', sessionId);
  }

  private record(
    tx: EntityManager,
    actor: AuditActor,
    action: `${'session' | 'user'}.${string}`,
    { userId, tenantId }: Pick<Session, 'userId' | 'tenantId'>,
    reason?: string,
  ): Promise<void> {
    return this.audit.record(tx, actor, { tenantId, action, target: { type: 'user', id: userId }, reason });
  }
}

function toColumns({ address, userAgent }: Client): Pick<Session, 'ip' | 'userAgent'> {
  return { ip: address, userAgent: userAgent?.slice(0, MAX_AGENT_CHARACTERS) ?? null };
}

function unusableToken(): Unauthorized {
  return new Unauthorized('The refresh token is not valid.');
}

/** Whether it is a time as `toISOString` writes it; the year 275760 is one to JavaScript, and none to PostgreSQL. */
function isTimestamp(text: string): boolean {
  const time = Date.parse(text);
  return text.length === 24 && !Number.isNaN(time) && new Date(time).toISOString() === text;
}

/** @param after a key of `list` */
function behindKey(after: string | undefined, order: SortOrder): Sql {
  const [createdAt = '', id] = (after ?? '').split(' ');
  if (after !== undefined && (!id || !isTimestamp(createdAt))) {
    throw new BadRequest('after is no cursor of this list.', 'after');
  }
  const isUp = order === 'asc';
  const behind = isUp
    ? sql`AND (created_at, id) > (${createdAt}::timestamptz, ${id})`
    : sql`AND (created_at, id) < (${createdAt}::timestamptz, ${id})`;
  const sorted = isUp ? sql`ORDER BY created_at, id` : sql`ORDER BY created_at DESC, id DESC`;
  return after === undefined ? sorted : sql`${behind} ${sorted}`;
}

function hasExpired(token: RefreshToken, session: Session, now: Date): boolean {
  return (
    now.getTime() - token.createdAt.getTime() > IDLE_MS || now.getTime() - session.createdAt.getTime() > LONGEST_MS
  );
}
