import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { Browser } from '../probes/browser.js';

/** The client that the platform is to an OpenID provider. */
export const CLIENT = { client_id: 'platform-client', client_secret: 'the secret of the client' } as const;

/** What an OpenID provider says of somebody, beside `sub`. */
export type AccountClaims = Readonly<Record<string, unknown>>;

/** A real OpenID provider on this machine, which lets everybody sign in by a name. */
export class OpenidProvider {
  /** By the name that people sign in with. */
  readonly accounts = new Map<string, AccountClaims>();

  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  /** @param redirectUri where browsers are sent back to; another one is refused */
  static async start(redirectUri: string): Promise<OpenidProvider> {
    const server = createServer((request, response) => answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const provider = new OpenidProvider(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, server);
    // It recommends what nobody needs in a test.
    globalThis.console.warn = globalThis.console.info = () => undefined;
    const answer = new Provider(provider.url, provider.configuration(redirectUri)).callback();
    return provider;
  }

  /**
   * Signs in by a browser, from the address that the platform has sent it to.
   * @returns the address that the provider sends the browser back to
   */
  async signIn(address: string, login: string): Promise<URL> {
    const browser = new Browser();
    let target = new URL(address);
    for (let step = 0; step < 12; step += 1) {
      const page = await browser.get(target);
      if (page.location) target = page.location;
      else {
        const prompt = page.text.includes('name="login"') ? 'login' : 'consent';
        const answer = await browser.submit(target, { prompt, login, password: 'any' });
        if (!answer.location) throw new Error(`The provider does not go on: ${answer.status} ${answer.text}`);
        target = answer.location;
      }
      if (target.origin !== this.url) return target;
    }
    throw new Error('The provider never sends the browser back.');
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private configuration(redirectUri: string): object {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = { ...privateKey.export({ format: 'jwk' }), kid: 'key', use: 'sig', alg: 'RS256' };
    return {
      clients: [{ ...CLIENT, redirect_uris: [redirectUri], response_types: ['code'] }],
      jwks: { keys: [key] },
      cookies: { keys: ['a key of the cookies'] },
      pkce: { required: () => true },
      conformIdTokenClaims: false,
      claims: { openid: ['sub', 'oid', 'tid', 'upn'], profile: ['name', 'preferred_username'], email: ['email'] },
      findAccount: (_context: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ sub, ...this.accounts.get(sub) }),
      }),
    };
  }
}
