import type { Privilege } from '../../../../src/access/caller.js';
import { issueSecret } from '../../../../src/identity/tokens/api-token-format.js';
import { newId } from '../../../../src/platform/ids.js';
import type { Random } from '../../../crash/random.js';
import { addTenant, PASSWORD } from '../../../support/builders/accounts.js';
import type { Platform, RestAnswer } from '../../../support/servers/platform.js';
import { violationsOf } from './rules.js';
import type { Authority } from './rules.js';
import { isSame, takeSnapshot } from './snapshot.js';
import type { Snapshot } from './snapshot.js';
import { nextStep, someScopes } from './steps.js';
import type { Step } from './steps.js';

const ROLES = [
  ['sysadmin', 0, ['user', 'admin', 'sysadmin']],
  ['other-sysadmin', 1, ['user', 'sysadmin']],
  ['admin', 0, ['user', 'admin']],
  ['second-admin', 0, ['user', 'admin']],
  ['other-admin', 1, ['user', 'admin']],
  ['user', 0, ['user']],
  ['other-user', 1, ['user']],
] as const satisfies readonly (readonly [string, 0 | 1, readonly Privilege[]])[];
/** A JWT takes a sign-in, whose hash is slow; so most of the time people use what they have. */
const SIGN_IN_CHANCE = 0.02;
/** Sysadmins hardly ever do what must not be done. */
const ADMIN_WEIGHTS = [1, 1, 3, 2, 3, 2, 2];
/** Nobody else can approve a provider, so that without them hardly any would ever be approved. */
const APPROVER_WEIGHTS = [8, 8, 3, 2, 3, 2, 2];

interface ActorToken {
  readonly userId: string;
  readonly text: string;
  readonly scopes: readonly string[];
}

/** What a scene is made of. */
export interface SceneParts {
  readonly platform: Platform;
  readonly random: Random;
  /** Makes names, and an address of the clients, that no other scene has. */
  readonly number: number;
  /** Of `PASSWORD`. */
  readonly passwordHash: string;
}

/** How often steps of a kind were done, and refused. */
export type Answered = Map<string, { done: number; refused: number }>;

/** Two tenants and their people, who do one thing after another. */
export class Scene {
  private readonly tokens: ActorToken[] = [];
  private readonly secrets = new Map<string, string>();
  /** By which provider an account was reached. */
  private readonly reached = new Map<string, string>();
  private readonly history: string[] = [];

  private constructor(
    private readonly parts: SceneParts,
    private readonly tenantIds: readonly [string, string],
  ) {}

  static async start(parts: SceneParts): Promise<Scene> {
    const { platform } = parts;
    const values = { allowedPlans: ['free' as const, 'team' as const] };
    const tenantIds = [await addTenant(platform, values), await addTenant(platform)] as const;
    const scene = new Scene(parts, tenantIds);
    await scene.addPeople();
    return scene;
  }

  /** Does steps until one has an effect that it must not have. @returns what that is, with all that led to it */
  async play(steps: number, answered: Answered): Promise<string[]> {
    let before = await takeSnapshot(this.parts.platform, this.tenantIds);
    for (let count = 0; count < steps; count += 1) {
      const { name, secrets } = this;
      const { random } = this.parts;
      const step = nextStep({ random, state: before, name, secrets });
      const token = step.signIn ? undefined : await this.tokenFor(step, before);
      const answer = await this.send(step, token?.text);
      this.note(step, token, answer, before, answered);
      if (answer.status >= 300) continue;
      const after = await takeSnapshot(this.parts.platform, this.tenantIds);
      const problems = violationsOf({ step, authority: authorityOf(before, token), before, after });
      problems.push(...this.learn(step, answer, after));
      if (problems.length > 0) return [...problems, ...this.history];
      before = after;
    }
    const after = await takeSnapshot(this.parts.platform, this.tenantIds);
    return isSame(before, after) ? [] : ['what was refused has changed something', ...this.history];
  }

  private get name(): string {
    return `w${this.parts.number}`;
  }

  private send({ method, path, body, headers }: Step, token?: string): Promise<RestAnswer> {
    const from = `10.1.${this.parts.number >> 8}.${this.parts.number & 255}`;
    return this.parts.platform.request(method, path, { token, body, headers: { ...headers, 'x-forwarded-for': from } });
  }

  private async tokenFor(step: Step, state: Snapshot): Promise<ActorToken> {
    const weights = step.kind === 'approve' ? APPROVER_WEIGHTS : ADMIN_WEIGHTS;
    const weighted = ROLES.flatMap(([role], at) => Array.from({ length: weights[at] ?? 1 }, () => role));
    const email = `${this.parts.random.pick(weighted)}@${this.name}.test`;
    const user = [...state.users.values()].find((one) => one.email === email && one.passwordHash !== null);
    if (user && this.parts.random.chance(step.kind === 'addToken' ? 0.3 : SIGN_IN_CHANCE)) {
      const body = { email, password: PASSWORD };
      const answer = await this.send({ kind: 'addToken', method: 'POST', path: '/v1/auth/login', body });
      if (answer.status === 200) return this.remember(user.id, answer.body.access_token, ['*']);
    }
    // Those who came by a provider act, too.
    const own = this.tokens.filter(({ userId }) => userId === user?.id);
    return own.length > 0 && this.parts.random.chance(0.9)
      ? this.parts.random.pick(own)
      : this.parts.random.pick(this.tokens);
  }

  private remember(userId: string, text: string, scopes: readonly string[]): ActorToken {
    const token = { userId, text, scopes };
    this.tokens.push(token);
    return token;
  }

  /** What the answer tells that later steps need, and what is wrong about it. */
  private learn({ kind, body, path, signIn }: Step, answer: RestAnswer, after: Snapshot): string[] {
    const id = kind === 'addProvider' ? (answer.body.id as string) : (path.split('/')[4] ?? '');
    if (typeof body?.proxy_secret === 'string') this.secrets.set(id, body.proxy_secret);
    // A sysadmin may give an account another provider.
    if (kind === 'changeUser' && body && 'identity_provider_id' in body) this.reached.delete(id);
    if (!signIn) return [];
    const userId = answer.body.user.id as string;
    const user = after.users.get(userId);
    this.remember(userId, answer.body.access_token, ['*']);
    const provider = [...after.providers.values()].find(({ tid }) => tid === signIn.tid);
    const isOwn = user?.providerId === provider?.id && user?.externalId === signIn.oid;
    const first = this.reached.get(userId) ?? provider?.id ?? '';
    this.reached.set(userId, first);
    return [
      ...(isOwn ? [] : ['a sign-in has reached the account of somebody else']),
      ...(first === provider?.id ? [] : ['two providers have reached one account']),
    ];
  }

  private note(step: Step, token: ActorToken | undefined, answer: RestAnswer, before: Snapshot, all: Answered): void {
    const user = token && before.users.get(token.userId);
    const who = user ? `${user.email} (${user.privileges.join(' ')}; ${token.scopes.join(' ')})` : 'nobody';
    const { method, path, body } = step;
    this.history.push(`${who}: ${method} ${path} ${JSON.stringify(body)} -> ${answer.status}`);
    const counts = all.get(step.kind) ?? { done: 0, refused: 0 };
    counts[answer.status < 300 ? 'done' : 'refused'] += 1;
    all.set(step.kind, counts);
  }

  private async addPeople(): Promise<void> {
    const people = ROLES.map(([role, at, privileges]) => {
      const [userId, tokenId] = [newId('usr'), newId('tok')];
      const { token, secretHash } = issueSecret(tokenId);
      const scopes = this.parts.random.chance(0.5) ? ['*'] : someScopes(this.parts.random);
      this.remember(userId, token, scopes);
      const email = `${role}@${this.name}.test`;
      return { userId, tokenId, tenantId: this.tenantIds[at], email, privileges, scopes, secretHash };
    });
    await this.parts.platform.query(ADD_PEOPLE, [JSON.stringify(people), this.parts.passwordHash]);
  }
}

const ADD_PEOPLE = `
  WITH people AS (
    SELECT * FROM json_to_recordset($1::json) AS p("userId" text, "tokenId" text, "tenantId" text, email text,
                                                   privileges text[], scopes text[], "secretHash" text)
  ), added AS (
    INSERT INTO users (id, tenant_id, email, username, password_hash, confirmed, status, privileges,
                       group_memberships, user_version, created_at)
    SELECT "userId", "tenantId", email, 'Somebody', $2, true, 'active', privileges, '{}', 1, now() FROM people
  )
  INSERT INTO api_tokens (id, user_id, tenant_id, name, scopes, secret_hash, created_at, expires_at)
  SELECT "tokenId", "userId", "tenantId", 'Token', scopes, "secretHash", now(), now() + interval '1 day' FROM people`;

function authorityOf({ users }: Snapshot, token: ActorToken | undefined): Authority {
  const user = token && users.get(token.userId);
  const mayAdminister = token?.scopes.some((scope) => scope === '*' || scope === 'admin:write');
  if (!user || user.status !== 'active' || !mayAdminister) return { privileges: new Set() };
  const isSysadmin = user.privileges.includes('sysadmin');
  const privileges = new Set([...user.privileges, ...(isSysadmin ? ['admin' as const] : [])]);
  return { userId: user.id, tenantId: user.tenantId, privileges };
}
