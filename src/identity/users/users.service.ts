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
    const wanted = join(
      [NOT_DELETED, ...(tenantId ? [sql`tenant_id = ${tenantId}`] : []), ...conditionsOf(filter)],
      ' AND ',
    );
    return readPage(page, {
      keyOf: ({ id }) => id,
      read: async (limit, after, order) => {
        const behindId = order === 'asc' ? sql`id > ${after}` : sql`id < ${after}`;
        const rest = after === undefined ? sql`` : sql`AND ${behindId}`;
        const sorted = order === 'asc' ? sql`ORDER BY id` : sql`ORDER BY id DESC`;
        const { text, values } = sql`SELECT id FROM users WHERE ${wanted} ${rest} ${sorted} LIMIT ${limit}`;
        const rows = await this.dataSource.query<{ id: string }[]>(text, values);
        const ids = rows.map(({ id }) => id);
        return this.dataSource.getRepository(User).find({ where: { id: In(ids) }, order: { id: order } });
      },
      count: (limit) => countAtMost(this.dataSource, sql`SELECT FROM users WHERE ${wanted}`, limit),
    });
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

  /** Whether somebody may still act for a user, in the tenant that the user was in. */
  isActive(id: string, tenantId: string): Promise<boolean> {
    return this.dataSource.getRepository(User).existsBy({ id, tenantId, status: 'active' });
  }

  /**
   * The account with a password of its own that has an address; for sign-in, before there is a caller.
   * @param email as `normalizeEmail` gives it
   */
  async findByEmail(email: string): Promise<User | null> {
    return this.dataSource.getRepository(User).findOneBy({ email, identityProviderId: IsNull() });
  }
}

function conditionsOf({ search, status }: UserFilter): Sql[] {
  // A backslash would make the next character of the text another one.
  const beginning = search ? `${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%` : undefined;
  return [
    ...(beginning ? [sql`(email LIKE ${beginning} OR lower(username) LIKE ${beginning})`] : []),
    ...(status ? [sql`status = ${status}`] : []),
  ];
}
