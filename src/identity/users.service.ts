import type { DataSource } from 'typeorm';
import { LessThan } from 'typeorm';
import type { Caller } from '../context.js';
import { Unauthorized } from '../errors.js';
import { readPage } from '../graph/connection.js';
import type { Connection, PageArgs } from '../graph/connection.js';
import { administers } from './administers.js';
import type { Tenant } from './tenant.entity.js';
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

  /** A user that the caller may see: itself, and those of the tenants that it administers; null for others. */
  async find(caller: Caller, id: string): Promise<User | null> {
    const user = await this.findById(id);
    return user && (user.id === caller.userId || administers(caller, user.tenantId)) ? user : null;
  }

  /** The users of a tenant, the youngest first. The field's access rule has let only administrators in. */
  async ofTenant(tenant: Tenant, page: PageArgs): Promise<Connection<User>> {
    const users = this.dataSource.getRepository(User);
    const ofTenant = { tenantId: tenant.id };
    return readPage(page, {
      keyOf: (user) => user.id,
      read: async (limit, after) => {
        const where = { ...ofTenant, ...(after !== undefined && { id: LessThan(after) }) };
        const found = await users.find({ where, order: { id: 'DESC' }, take: limit });
        return found.map((user) => Object.assign(user, { tenant }));
      },
      count: async (limit) => (await users.find({ select: { id: true }, where: ofTenant, take: limit })).length,
    });
  }

  /** For sign-in, before there is a caller. */
  async findById(id: string): Promise<User | null> {
    return this.dataSource.getRepository(User).findOneBy({ id });
  }

  /**
   * For sign-in, before there is a caller.
   * @param email as `normalizeEmail` gives it
   */
  async findByEmail(email: string): Promise<User | null> {
    return this.dataSource.getRepository(User).findOneBy({ email });
  }
}
