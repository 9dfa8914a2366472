import { ADMIN, hasEnded } from '../../crash/replica.js';
import type { Life, Replica } from '../../crash/replica.js';
import { lifeOf, login, request } from '../../crash/client.js';
import { eventually } from '../../support/probes/eventually.js';
import type { Random } from '../../crash/random.js';
import type { ScenarioEnvironment } from '../../crash/scenario.js';
import type { Query } from '../../crash/servers.js';
import { MODEL } from '../../crash/upstream.js';
import type { Seen, Upstream } from '../../crash/upstream.js';
import { SILENCES, SilentModel } from './silent-model.js';

const REPLICAS = 2;
/** To the head of an answer. */
const TIMEOUT_SECONDS = 20;

/** Everything that runs: replicas, good model servers that refuse images with a 500, and silent ones. */
export class Site {
  private constructor(
    readonly replicas: readonly Replica[],
    /** Of the administrator; it outlasts any soak. */
    readonly token: string,
    readonly query: Query,
    private readonly upstreams: readonly Upstream[],
  ) {}

  static async start(environment: ScenarioEnvironment): Promise<Site> {
    const upstreams = [await environment.upstream(), await environment.upstream()] as const;
    const redis = await environment.redis();
    const env = { REDIS_URL: redis.url };
    const { replicas, query } = await environment.replicas(upstreams[0], { env, count: REPLICAS });
    const [first] = replicas as [Replica];
    const site = new Site(replicas, await tokenOf(first, await login(first)), query, upstreams);
    await site.addBackend('second', upstreams[1].url, MODEL);
    for (const silence of SILENCES) {
      const model = await SilentModel.start(silence);
      environment.onClose(() => model.close());
      await site.addBackend(silence, model.url, silence);
    }
    for (const replica of replicas) await eventually('all backends are known', 10, () => site.knowsAll(replica));
    return site;
  }

  /** Any replica that serves. @throws Error where none does */
  anyLife(random: Random): Life {
    const lives = this.replicas.flatMap(({ life }) => life ?? []).filter(({ child }) => !hasEnded(child));
    if (lives.length === 0) throw new Error('no replica serves');
    return random.pick(lives);
  }

  /** What the good model servers know of a request, if one has seen it. */
  seen(mark: string): Seen | undefined {
    return this.upstreams.map((upstream) => upstream.seen.get(mark)).find((seen) => seen !== undefined);
  }

  /** What is not asked for again costs no memory. */
  forget(mark: string): void {
    for (const upstream of this.upstreams) upstream.seen.delete(mark);
  }

  /** Adds a user of the administrator's tenant with the same password; answers the address. */
  async addUser(name: string): Promise<string> {
    const email = `${name}@example.test`;
    await this.query(
      `INSERT INTO users (id, tenant_id, email, username, password_hash, confirmed, status, privileges,
         group_memberships, user_version, created_at)
       SELECT left(id, 20) || $1, tenant_id, $2, $3, password_hash, confirmed, status, '{user}', '{}', 1, created_at
       FROM users WHERE email = $4`,
      [name.padEnd(10, '0').slice(0, 10), email, name, ADMIN.email],
    );
    return email;
  }

  private async knowsAll(replica: Replica): Promise<boolean> {
    const { body } = await request(lifeOf(replica), 'GET', '/v1/models', { token: this.token });
    const known = (body as { data: { id: string }[] }).data.map(({ id }) => id);
    return [MODEL, ...SILENCES].every((model) => known.includes(model));
  }

  private async addBackend(name: string, url: string, model: string): Promise<void> {
    const body = { name, base_url: url, models: [{ id: model }], timeout_seconds: TIMEOUT_SECONDS };
    const { token } = this;
    const answer = await request(lifeOf(this.replicas[0] as Replica), 'POST', '/v1/admin/backends', { token, body });
    if (answer.status !== 201) throw new Error(`No backend was added: ${JSON.stringify(answer.body)}`);
  }
}

/** A token that outlasts a session's. */
async function tokenOf(replica: Replica, jwt: string): Promise<string> {
  const body = { name: 'soak', scopes: ['*'] };
  const answer = await request(lifeOf(replica), 'POST', '/v1/api-tokens', { token: jwt, body });
  if (answer.status !== 201) throw new Error(`No token was made: ${JSON.stringify(answer.body)}`);
  return (answer.body as { token: string }).token;
}
