import type { AnyJson } from '../../support/probes/any-json.js';
import { directorySettings, GROUP_SETTINGS } from '../../support/builders/directories.js';
import { DirectoryServer, isSlapdInstalled } from '../../support/servers/directory-server.js';
import { newServiceKey } from '../../support/servers/service-key.js';
import { newId } from '../../../src/platform/ids.js';
import { lifeOf, request } from '../../crash/client.js';
import { ADMIN } from '../../crash/replica.js';
import type { Random } from '../../crash/random.js';
import type { Replica } from '../../crash/replica.js';
import type { ScenarioEnvironment } from '../../crash/scenario.js';
import type { Query } from '../../crash/servers.js';

const SERVICE = newServiceKey();
/** Each is removed from the group once. */
const DIRECTORY_PEOPLE = 100;
const DOMAIN = 'directory.test';

/** Somebody who has signed in, with a personal access token beside the session. */
export interface Person {
  readonly id: string;
  readonly jwt: string;
  readonly refreshToken: string;
  readonly pat: string;
  readonly patId: string;
}

/** What requests are sent with. */
export interface SendOptions {
  readonly token?: string;
  readonly body?: object;
}

/** A directory whose group gives the privilege `admin`, and the provider of it. */
export interface Directory {
  readonly server: DirectoryServer;
  readonly providerId: string;
}

/** Two replicas on PostgreSQL and Redis, and the people who use them. */
export class RevocationSite {
  private nextPerson = 0;

  private constructor(
    readonly replicas: readonly Replica[],
    /** Of the administrator of all. */
    readonly sysadmin: string,
    /** Undefined where slapd is not installed. */
    readonly directory: Directory | undefined,
    private readonly query: Query,
    private readonly random: Random,
  ) {}

  static async start(environment: ScenarioEnvironment): Promise<RevocationSite> {
    const redis = await environment.redis();
    const env = { REDIS_URL: redis.url, ...SERVICE.env };
    const { replicas, query } = await environment.replicas(await environment.upstream(), { env, count: 2 });
    const [first] = replicas as [Replica];
    const { body } = await request(lifeOf(first), 'POST', '/v1/auth/login', { body: ADMIN });
    const pat = await request(lifeOf(first), 'POST', '/v1/api-tokens', {
      token: body.access_token,
      body: { name: 'proof', scopes: ['*'] },
    });
    const sysadmin = pat.body.token as string;
    const directory = isSlapdInstalled() ? await startDirectory(environment, first, sysadmin) : undefined;
    return new RevocationSite(replicas, sysadmin, directory, query, environment.random);
  }

  /** Asks some replica. @throws Error where it does not do what it was asked */
  async send(method: string, path: string, { token, body }: SendOptions = {}): Promise<AnyJson> {
    const answer = await request(lifeOf(this.random.pick(this.replicas)), method, path, { token, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** As a service. */
  get serviceKey(): string {
    return SERVICE.key;
  }

  /** Somebody new with the administrator's password, who signs in. */
  async addPerson(privileges: readonly string[] = ['user']): Promise<Person> {
    const id = newId('usr');
    await this.query(
      `INSERT INTO users (id, tenant_id, email, username, password_hash, confirmed, status, privileges,
         group_memberships, user_version, created_at)
       SELECT $1, tenant_id, $2, 'Somebody', password_hash, true, 'active', $3, '{}', 1, now()
       FROM users WHERE email = $4`,
      [id, `${id}@example.test`, privileges, ADMIN.email],
    );
    return this.signIn(`${id}@example.test`, ADMIN.password);
  }

  /** Somebody of the directory whom a group makes an administrator; undefined when all have had their turn. */
  async nextOfDirectory(): Promise<(Person & { readonly uid: string }) | undefined> {
    if (this.nextPerson >= DIRECTORY_PEOPLE) return undefined;
    const uid = `p${this.nextPerson}`;
    this.nextPerson += 1;
    return { ...(await this.signIn(`${uid}@${DOMAIN}`, `${uid}pw`)), uid };
  }

  private async signIn(email: string, password: string): Promise<Person> {
    const pair = await this.send('POST', '/v1/auth/login', { body: { email, password } });
    const { access_token: jwt, refresh_token: refreshToken, user } = pair;
    const body = { name: 'proof', scopes: ['*'] };
    const { id: patId, token: pat } = await this.send('POST', '/v1/api-tokens', { token: jwt, body });
    return { id: user.id, jwt, refreshToken, pat, patId };
  }
}

async function startDirectory(
  environment: ScenarioEnvironment,
  replica: Replica,
  sysadmin: string,
): Promise<Directory> {
  const uids = Array.from({ length: DIRECTORY_PEOPLE }, (_, n) => `p${n}`);
  // A group is never empty.
  const server = await DirectoryServer.start(
    [...uids, 'stays'].map((uid) => ({ uid, mail: `${uid}@${DOMAIN}` })),
    { admins: [...uids, 'stays'] },
  );
  environment.onClose(() => server.close());
  const settings = { ...directorySettings(server), ...GROUP_SETTINGS, domains: [DOMAIN] };
  const answer = await request(lifeOf(replica), 'POST', '/v1/admin/identity-providers', {
    token: sysadmin,
    body: settings,
  });
  if (answer.status !== 201) throw new Error(`No directory was set up: ${JSON.stringify(answer.body)}`);
  return { server, providerId: answer.body.id };
}
