import type { DataSource, EntityManager } from 'typeorm';
import { ArrayOverlap, In, IsNull, MoreThan } from 'typeorm';
import { actorOf } from '../../access/audit-actor.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { SCOPES } from '../../access/caller.js';
import type { Caller, Scope } from '../../access/caller.js';
import { BadRequest, Conflict, NotFound } from '../../errors.js';
import type { Connection, PageArgs } from '../../graph/connection.js';
import { readTablePage } from '../../graph/table-page.js';
import { isId, newId } from '../../platform/ids.js';
import { issueSecret } from './api-token-format.js';
import { ApiToken } from './api-token.entity.js';
import type { CreateApiTokenInput } from './api-token.inputs.js';
import { checkedName } from '../../platform/text/name.js';
import type { RevocationsService, Revoked } from '../sessions/revocations.service.js';

const MAX_NAME_CHARACTERS = 100;
const DAY_MS = 24 * 60 * 60 * 1_000;
const EXPIRES_IN_DAYS = { min: 1, max: 365, default: 90 } as const;
const GRACE_SECONDS = { min: 0, max: 86_400, default: 3_600 } as const;
const KNOWN_SCOPES: ReadonlySet<string> = new Set(['*', ...SCOPES]);

/** The personal access tokens of the caller; those of others do not exist for it. */
export class ApiTokensService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly revocations: RevocationsService,
    private readonly audit: AuditRecorder,
  ) {}

  /** A page of those that are not deleted. */
  async list(caller: Caller, page: PageArgs): Promise<Connection<ApiToken>> {
    return readTablePage(page, this.dataSource.getRepository(ApiToken), ownedBy(caller), (token) => token);
  }

  /** @throws NotFound */
  async get(caller: Caller, id: string): Promise<ApiToken> {
    const [token] = await this.findMany(caller, [id]);
    if (!token) throw notFound();
    return token;
  }

  /** Those of the caller's own that are not deleted. */
  async findMany(caller: Caller, ids: readonly string[]): Promise<ApiToken[]> {
    const known = ids.filter((id) => isId('tok', id));
    if (known.length === 0) return [];
    return this.dataSource.getRepository(ApiToken).findBy({ id: In(known), ...ownedBy(caller) });
  }

  /**
   * Makes a token; the answer alone has its text.
   * @throws BadRequest that names the field
   */
  async create(caller: Caller, input: CreateApiTokenInput): Promise<ApiToken> {
    const id = newId('tok');
    const { token, secretHash } = issueSecret(id);
    const days = checkedWhole('expiresInDays', input.expiresInDays, EXPIRES_IN_DAYS);
    const now = Date.now();
    const tokens = this.dataSource.getRepository(ApiToken);
    const made = tokens.create({
      id,
      userId: caller.userId,
      tenantId: caller.tenantId,
      name: checkedName(input.name, MAX_NAME_CHARACTERS),
      scopes: checkedScopes(input.scopes),
      secretHash,
      createdAt: new Date(now),
      expiresAt: new Date(now + days * DAY_MS),
    });
    await this.dataSource.transaction(async (tx) => {
      await tx.insert(ApiToken, made);
      await this.record(tx, caller, 'api_token.create', id);
    });
    return Object.assign(made, { token });
  }

  /**
   * Exchanges the secret. The old one works until the grace ends; one that is older than that ends at once.
   * @throws NotFound; BadRequest that names the field; Conflict for an expired token, which no rotation revives
   */
  async rotate(caller: Caller, id: string, graceSeconds?: number | null): Promise<ApiToken> {
    const grace = checkedWhole('graceSeconds', graceSeconds, GRACE_SECONDS);
    if (!isId('tok', id)) throw notFound();
    const { rotated, revoked } = await this.dataSource.transaction((tx) => this.rotateWithin(tx, caller, id, grace));
    for (const revocation of revoked) this.revocations.announce(revocation);
    return rotated;
  }

  /**
   * Deletes a token, which ends it on every replica, its open streams and sockets included.
   * @throws NotFound
   */
  async delete(caller: Caller, id: string): Promise<void> {
    if (!isId('tok', id)) throw notFound();
    const own = { id, ...ownedBy(caller) };
    const revoked = await this.dataSource.transaction(async (tx) => {
      const { affected } = await tx.update(ApiToken, own, { revokedAt: new Date() });
      if (!affected) return undefined;
      await this.record(tx, caller, 'api_token.delete', id);
      return this.revocations.write(tx, 'token', id);
    });
    if (!revoked) throw notFound();
    this.revocations.announce(revoked);
  }

  /** Whether a token, whoever's it is, still works, and has a scope. */
  async allows(id: string, scope: Scope): Promise<boolean> {
    const where = { id, revokedAt: IsNull(), expiresAt: MoreThan(new Date()), scopes: ArrayOverlap(['*', scope]) };
    return this.dataSource.getRepository(ApiToken).existsBy(where);
  }

  /** Forgets deleted tokens once they would have expired: until then their secret is told that it was revoked. */
  async prune(): Promise<void> {
    await this.dataSource.query('DELETE FROM api_tokens WHERE revoked_at IS NOT NULL AND expires_at < now()');
  }

  private async rotateWithin(tx: EntityManager, caller: Caller, id: string, graceSeconds: number) {
    const own = { id, ...ownedBy(caller) };
    const found = await tx.findOne(ApiToken, { where: own, lock: { mode: 'pessimistic_write' } });
    if (!found) throw notFound();
    const now = new Date();
    if (found.expiresAt <= now) throw new Conflict('conflict', 'The token has expired. Please make a new one.');
    const graceEnd = new Date(Math.min(now.getTime() + graceSeconds * 1_000, found.expiresAt.getTime()));
    const revoked: Revoked[] = [];
    if (found.previousHash !== null && found.previousExpiresAt !== null && found.previousExpiresAt > now) {
      revoked.push(await this.revocations.write(tx, 'token', found.previousHash));
    }
    revoked.push(await this.revocations.write(tx, 'token', found.secretHash, { effectiveAt: graceEnd }));
    const { token, secretHash } = issueSecret(id);
    const changes = {
      secretHash,
      previousHash: found.secretHash,
      previousExpiresAt: graceEnd,
      rotatedAt: now,
    };
    await tx.update(ApiToken, { id }, changes);
    await this.record(tx, caller, 'api_token.rotate', id);
    return { rotated: Object.assign(found, changes, { token }), revoked };
  }

  private record(tx: EntityManager, caller: Caller, action: `api_token.${string}`, id: string): Promise<void> {
    const target = { type: 'api_token', id };
    return this.audit.record(tx, actorOf(caller), { tenantId: caller.tenantId, action, target });
  }
}

function ownedBy(caller: Caller) {
  return { userId: caller.userId, revokedAt: IsNull() };
}

function notFound(): NotFound {
  return new NotFound('The token does not exist.');
}

function checkedScopes(scopes: readonly string[]): string[] {
  if (scopes.length === 0) throw new BadRequest('scopes must name at least one scope.', 'scopes');
  if (new Set(scopes).size < scopes.length) throw new BadRequest('scopes must not name a scope twice.', 'scopes');
  if (scopes.some((scope) => !KNOWN_SCOPES.has(scope))) {
    throw new BadRequest(`scopes must be of ${[...KNOWN_SCOPES].join(', ')}.`, 'scopes');
  }
  return [...scopes];
}

function checkedWhole(
  field: string,
  value: number | null | undefined,
  bounds: { readonly min: number; readonly max: number; readonly default: number },
): number {
  const given = value ?? bounds.default;
  if (given < bounds.min || given > bounds.max) {
    throw new BadRequest(`${field} must be from ${bounds.min} to ${bounds.max}.`, field);
  }
  return given;
}
