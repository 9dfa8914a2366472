import { newId } from '../../../src/platform/ids.js';
import { lifeOf, request } from '../../crash/client.js';
import { ADMIN } from '../../crash/replica.js';
import type { Replica } from '../../crash/replica.js';
import type { Query } from '../../crash/servers.js';
import type { WatchedServer } from './watch.js';

/** So many share the chats, so that none of them comes to its request limit. */
const OTHERS = 5;

/** A server, with a tenant whose users chat, and greedy users of another one. */
export class NeighbourSite implements WatchedServer {
  private constructor(
    readonly origin: string,
    readonly pid: number,
    readonly serviceKey: string,
    /** Tokens of those who chat. */
    readonly others: readonly string[],
    private readonly greedyTenant: string,
    private readonly addPerson: (tenant: string, privileges: readonly string[]) => Promise<string>,
  ) {}

  static async open(replica: Replica, query: Query, serviceKey: string): Promise<NeighbourSite> {
    const { origin, child } = lifeOf(replica);
    const addTenant = async (): Promise<string> => {
      const id = newId('ten');
      const columns = 'id, name, plan, allowed_plans, is_default, created_at, updated_at';
      await query(`INSERT INTO tenants (${columns}) VALUES ($1, $1, 'free', '{}', false, now(), now())`, [id]);
      return id;
    };
    const addPerson = async (tenant: string, privileges: readonly string[]): Promise<string> => {
      const id = newId('usr');
      await query(
        `INSERT INTO users (id, tenant_id, email, username, password_hash, confirmed, status, privileges,
           group_memberships, user_version, created_at)
         SELECT $1, $2, $3, 'Somebody', password_hash, true, 'active', $4, '{}', 1, now() FROM users WHERE email = $5`,
        [id, tenant, `${id}@example.test`, privileges, ADMIN.email],
      );
      const body = { email: `${id}@example.test`, password: ADMIN.password };
      const answer = await request(lifeOf(replica), 'POST', '/v1/auth/login', { body });
      if (answer.status !== 200) throw new Error(`Somebody could not sign in: ${JSON.stringify(answer.body)}`);
      return answer.body.access_token as string;
    };
    const [quiet, greedy] = [await addTenant(), await addTenant()];
    const others = await Promise.all(Array.from({ length: OTHERS }, () => addPerson(quiet, ['user'])));
    return new NeighbourSite(origin, child.pid as number, serviceKey, others, greedy, addPerson);
  }

  /** Somebody new who is an administrator of the greedy tenant. @returns the token */
  addGreedyUser(): Promise<string> {
    return this.addPerson(this.greedyTenant, ['user', 'admin']);
  }
}
