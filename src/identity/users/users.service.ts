import sql from 'sql-template-tag';
import { In } from 'typeorm';
import type { DataSource } from 'typeorm';
import type { Caller } from '../../access/caller.js';
import { Unauthorized } from '../../errors.js';
import { behind, readPage } from '../../graph/connection.js';
import type { Connection, PageArgs } from '../../graph/connection.js';
import { countAtMost } from '../../platform/database/count-at-most.js';
import { readAgainIfLost } from '../../platform/database/postgres-errors.js';
import { isId } from '../../platform/ids.js';
import { administersTenant, requireTenantAdmin } from '../../access/tenancy.js';
import type { Tenant } from '../tenants/tenant.entity.js';
import { User } from './user.entity.js';

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
    return users.filter((user) => user.id === caller.userId || administersTenant(caller, user.tenantId));
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
        const where = { tenantId: tenant.id, ...behind(after, order) };
        const found = await users.find({ where, order: { id: order }, take: limit });
        return found.map((user) => Object.assign(user, { tenant }));
      },
      count: (limit) => countAtMost(this.dataSource, sql`SELECT FROM users WHERE tenant_id = ${tenant.id}`, limit),
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
   * For sign-in, before there is a caller.
   * @param email as `normalizeEmail` gives it
   */
  async findByEmail(email: string): Promise<User | null> {
    return this.dataSource.getRepository(User).findOneBy({ email });
  }
}
