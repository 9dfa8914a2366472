import { LessThan, MoreThan } from 'typeorm';
import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { User } from '../users/user.entity.js';
import { hashOf, newSecret } from './browser-cookie.js';
import { SsoCode } from './sso-code.entity.js';
import { SsoFlow } from './sso-flow.entity.js';

const PURPOSE = 'sso-flow';
/** How long a browser may take at its identity provider. */
export const FLOW_MS = 10 * 60 * 1_000;
const CODE_MS = 60 * 1_000;

/** What a sign-in needs to go on when its browser comes back. */
export interface Flow {
  readonly providerId: string;
  readonly nonce: string;
  /** The code verifier (RFC 7636). */
  readonly verifier: string;
}

/** The sign-ins of browsers that are under way; each of their secrets is bound to a browser and works once. */
export class SsoFlows {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secretBox: SecretBox,
  ) {}

  /** Remembers a sign-in for ten minutes. @param browserHash as `BrowserCookie` gives it */
  async begin(state: string, browserHash: string, { providerId, nonce, verifier }: Flow): Promise<void> {
    const stateHash = hashOf(state);
    const verifierSealed = this.secretBox.seal(PURPOSE, Buffer.from(verifier), stateHash);
    const expiresAt = new Date(Date.now() + FLOW_MS);
    await this.dataSource
      .getRepository(SsoFlow)
      .insert({ stateHash, providerId, browserHash, nonce, verifierSealed, expiresAt });
  }

  /** Takes a sign-in out; undefined where there is none that this browser has begun. */
  async take(state: string, browserHash: string): Promise<Flow | undefined> {
    const stateHash = hashOf(state);
    const { raw } = await this.dataSource
      .createQueryBuilder()
      .delete()
      .from(SsoFlow)
      .where('state_hash = :stateHash AND browser_hash = :browserHash AND expires_at > :now')
      .setParameters({ stateHash, browserHash, now: new Date() })
      .returning('provider_id, nonce, verifier_sealed')
      .execute();
    const [row] = raw as { provider_id: string; nonce: string; verifier_sealed: Buffer }[];
    if (!row) return undefined;
    const verifier = this.secretBox.unseal(PURPOSE, row.verifier_sealed, stateHash).toString('utf8');
    return { providerId: row.provider_id, nonce: row.nonce, verifier };
  }

  /** A code by which a browser gets the tokens of a user, within a minute. */
  async issueCode(user: User, browserHash: string): Promise<string> {
    const code = newSecret();
    const expiresAt = new Date(Date.now() + CODE_MS);
    const row = { codeHash: hashOf(code), userId: user.id, userVersion: user.userVersion, browserHash, expiresAt };
    await this.dataSource.getRepository(SsoCode).insert(row);
    return code;
  }

  /** The user of a code; null where it does not count for this browser, or the user has been changed since. */
  async redeemCode(code: string, browserHash: string): Promise<User | null> {
    const { raw } = await this.dataSource
      .createQueryBuilder()
      .delete()
      .from(SsoCode)
      .where('code_hash = :codeHash AND browser_hash = :browserHash AND expires_at > :now')
      .setParameters({ codeHash: hashOf(code), browserHash, now: new Date() })
      .returning('user_id, user_version')
      .execute();
    const [row] = raw as { user_id: string; user_version: number }[];
    if (!row) return null;
    const unchanged = { id: row.user_id, userVersion: row.user_version, status: 'active' } as const;
    return this.dataSource.getRepository(User).findOneBy(unchanged);
  }

  /** Whether a browser can still end a sign-in, as in another tab. */
  async isUnderWay(browserHash: string): Promise<boolean> {
    const where = { browserHash, expiresAt: MoreThan(new Date()) };
    const [flow, code] = [SsoFlow, SsoCode].map((entity) => this.dataSource.getRepository(entity).existsBy(where));
    return (await flow) === true || (await code) === true;
  }

  /** Deletes what nobody can end any more. */
  async prune(): Promise<void> {
    const isOver = { expiresAt: LessThan(new Date()) };
    await this.dataSource.getRepository(SsoFlow).delete(isOver);
    await this.dataSource.getRepository(SsoCode).delete(isOver);
  }
}
