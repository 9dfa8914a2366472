import sql, { join } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { In, IsNull, Not } from 'typeorm';
import type { DataSource } from 'typeorm';
import type { Caller } from '../../access/caller.js';
import { NotFound, Unauthorized } from '../../errors.js';
import { behind, readPage } from '../../graph/connection.js';
import type { Connection, PageArgs } from '../../graph/connection.js';
import { countAtMost } from '../../platform/database/count-at-most.js';
import { readAgainIfLost } from '../../platform/database/postgres-errors.js';
import { isId } from '../../platform/ids.js';
import { administersTenant, requireTenantAdmin, tenantScope } from '../../access/tenancy.js';
import type { Tenant } from '../tenants/tenant.entity.js';
import { User } from './user.entity.js';
import type { UserStatus } from './user.entity.js';

/** Which users are wanted. */
export interface UserFilter {
  /** What the address or the name begins with, whatever the case. */
  readonly search?: string | null;
  readonly status?: UserStatus | null;
}

const NOT_DELETED = sql`status <> 'deleted'`;
/** Among so many a search looks before it asks the indexes: a millisecond. */
const NEXT_USERS = 2_000;

/** A search for users. */
interface Search {
  /** Which users may be found at all, and on this page. */
  readonly within: readonly Sql[];
  /** What is asked for. */
  readonly conditions: readonly Sql[];
  readonly sorted: Sql;
}

/** Reads users. */
export class UsersService {
  constructor(private readonly dataSource: DataSource) {}

  /** The user that the caller is. */
  async me(caller: Caller): Promise<User> {
    const user = await this.findById(caller.userId);
    if (!user) throw new Unauthorized();
    return user;
  }

  /** Those of the users that the caller may see: itself, and those of the tenants that it administers. */
  async findMany(caller: Caller, ids: readonly string[]): Promise<User[]> {
    const known = ids.filter((id) => isId('usr', id));
    const users = known.length === 0 ? [] : await this.dataSource.getRepository(User).findBy({ id: In(known) });
    return users.filter(
      ({ id, tenantId, status }) =>
        status !== 'deleted' && (id === caller.userId || administersTenant(caller, tenantId)),
    );
  }

  /**
   * A page of the users of the tenants that the caller administers.
   * @throws Forbidden; BadRequest for a page that cannot be
   */
  async list(caller: Caller, filter: UserFilter, page: PageArgs): Promise<Connection<User>> {
    const { tenantId } = tenantScope(caller);
    const scope = [NOT_DELETED, ...(tenantId ? [sql`tenant_id = ${tenantId}`] : [])];
    const conditions = conditionsOf(filter);
    const wanted = all([...scope, ...conditions]);
    return readPage(page, {
      keyOf: ({ id }) => id,
      read: async (limit, after, order) => {
        const behindId = order === 'asc' ? sql`id > ${after}` : sql`id < ${after}`;
        const within = after === undefined ? scope : [...scope, behindId];
        const sorted = order === 'asc' ? sql`ORDER BY id` : sql`ORDER BY id DESC`;
        const ids = filter.search
          ? await this.search({ within, conditions, sorted }, limit)
          : await this.idsOf(
              sql`SELECT id FROM users WHERE ${all([...within, ...conditions])} ${sorted} LIMIT ${limit}`,
            );
        // Somebody may have been deleted meanwhile.
        const where = { id: In(ids), status: Not('deleted' as const) };
        return this.dataSource.getRepository(User).find({ where, order: { id: order } });
      },
      count: (limit) => countAtMost(this.dataSource, sql`SELECT FROM users WHERE ${wanted}`, limit),
    });
  }

  /**
   * What many have is found among the next users; what few have, by its index, and sorted then. PostgreSQL cannot know
   * which it is: where all who have it are at the other end of the list, it would walk through the whole list.
   */
  private async search({ within, conditions, sorted }: Search, limit: number): Promise<string[]> {
    const next = sql`SELECT id, email, username, status FROM users WHERE ${all(within)} ${sorted} LIMIT ${NEXT_USERS}`;
    const among = sql`SELECT id FROM (${next}) AS next WHERE ${all(conditions)} ${sorted} LIMIT ${limit}`;
    const ids = await this.idsOf(among);
    if (ids.length === limit) return ids;
    // OFFSET 0 keeps the order out of the plan of what is within.
    const found = sql`SELECT id FROM users WHERE ${all([...within, ...conditions])} OFFSET 0`;
    return this.idsOf(sql`SELECT id FROM (${found}) AS found ${sorted} LIMIT ${limit}`);
  }

  private async idsOf({ text, values }: Sql): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(text, values);
    return rows.map(({ id }) => id);
  }

  /**
   * A user of a tenant that the caller administers.
   * @throws NotFound also for the users of others
   */
  async get(caller: Caller, id: string): Promise<User> {
    const [user] = await this.findMany(caller, [id]);
    if (!user) throw new NotFound('The user does not exist.');
    return user;
  }

  /**
   * A page of the users of a tenant.
   * @throws Forbidden or NotFound unless the caller administers it; BadRequest for a page that cannot be
   */
  async ofTenant(caller: Caller, tenant: Tenant, page: PageArgs): Promise<Connection<User>> {
    requireTenantAdmin(caller, tenant.id);
    const users = this.dataSource.getRepository(User);
    return readPage(page, {
      keyOf: (user) => user.id,
      read: async (limit, after, order) => {
        const where = { tenantId: tenant.id, status: Not('deleted' as const), ...behind(after, order) };
        const found = await users.find({ where, order: { id: order }, take: limit });
        return found.map((user) => Object.assign(user, { tenant }));
      },
      count: (limit) =>
        countAtMost(this.dataSource, sql`SELECT FROM users WHERE tenant_id = ${tenant.id} AND ${NOT_DELETED}`, limit),
    });
  }

  /** For sign-in, before there is a caller. */
  async findById(id: string): Promise<User | null> {
    return readAgainIfLost(() => this.dataSource.getRepository(User).findOneBy({ id }));
  }

  /** Whether there is a user, and nobody has deleted it. */
  exists(id: string): Promise<boolean> {
    return this.dataSource.getRepository(User).existsBy({ id, status: Not('deleted' as const) });
  }

  /** Whether somebody may still act for a user, in the tenant that the user was in. */
  isActive(id: string, tenantId: string): Promise<boolean> {
    return this.dataSource.getRepository(User).existsBy({ id, tenantId, status: 'active' });
  }

  /**
   * The account that has an address; for sign-in, before there is a caller.
   * @param email as `normalizeEmail` gives it
   * @param providerId the identity provider whose people are looked among; left out: those with a password of their own
   */
  async findByEmail(email: string, providerId?: string): Promise<User | null> {
    return this.dataSource.getRepository(User).findOneBy({ email, identityProviderId: providerId ?? IsNull() });
  }
}

function all(conditions: readonly Sql[]): Sql {
  return join(conditions, ' AND ');
}

function conditionsOf({ search, status }: UserFilter): Sql[] {
  // A backslash would make the next character of the text another one.
  const beginning = search ? `${search.replace(/[\\%_]/g, '\\$&')}%` : undefined;
  return [
    ...(beginning ? [sql`(email LIKE ${beginning.toLowerCase()} OR lower(username) LIKE lower(${beginning}))`] : []),
    ...(status ? [sql`status = ${status}`] : []),
  ];
}
