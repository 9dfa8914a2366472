import type { Browser } from '../probes/browser.js';
import { addSsoProvider } from '../servers/sso-issuer.js';
import { CLIENT, OpenidProvider } from '../servers/openid-provider.js';
import { startPlatform } from '../servers/platform.js';
import type { Platform } from '../servers/platform.js';

/** The address by which browsers reach the platform in these tests; nothing listens there. */
export const PUBLIC_URL = 'https://ai.example.com';

/** A platform with an OpenID provider for the domain contoso.example. */
export class SsoBed {
  private constructor(
    readonly platform: Platform,
    readonly provider: OpenidProvider,
    readonly providerId: string,
  ) {}

  static async start(env: Readonly<Record<string, string>> = {}): Promise<SsoBed> {
    const platform = await startPlatform({ PUBLIC_URL, ...env });
    const provider = await OpenidProvider.start(`${PUBLIC_URL}/v1/auth/sso/callback`);
    const id = await addSsoProvider(platform, provider, { ...CLIENT, domains: ['contoso.example'] });
    return new SsoBed(platform, provider, id);
  }

  /** Lets somebody sign in at the provider by a name, which is the `oid` too. */
  addPerson(name: string, claims: Readonly<Record<string, unknown>> = {}): void {
    const usual = { oid: name, tid: 'contoso', upn: `${name}@contoso.example`, name: `Name of ${name}` };
    this.provider.accounts.set(name, { ...usual, ...claims });
  }

  /** Sends a browser off. @returns the provider's address */
  async start(browser: Browser, email = 'anybody@contoso.example'): Promise<URL> {
    const { status, location, text } = await browser.get(this.at(`/v1/auth/sso/start?email=${email}`));
    if (status !== 302 || !location) throw new Error(`The browser is not sent off: ${status} ${text}`);
    return location;
  }

  /** Sends a browser off and signs in at the provider. @returns the address of the platform that it is sent back to */
  async signInAtProvider(browser: Browser, name: string): Promise<URL> {
    const back = await this.provider.signIn((await this.start(browser)).href, name);
    // What the public address stands for.
    return new URL(this.at(`${back.pathname}${back.search}`));
  }

  /** Signs in as far as the code that the page gets. */
  async codeFor(browser: Browser, name: string): Promise<string> {
    const { location } = await browser.get(await this.signInAtProvider(browser, name));
    const code = /^#code=(.+)$/.exec(location?.hash ?? '')?.[1];
    if (code === undefined) throw new Error(`There is no code: ${location?.href}`);
    return code;
  }

  /** An address of the platform. */
  at(path: string): string {
    return this.platform.url + path;
  }

  async close(): Promise<void> {
    await this.platform.close();
    await this.provider.close();
  }
}
