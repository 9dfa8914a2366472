import { addStaffedTenant } from './accounts.js';
import type { StaffedTenant } from './accounts.js';
import type { AnyJson } from './any-json.js';
import { eventually } from './eventually.js';
import { startGateway } from './gateway.js';
import type { Gateway } from './gateway.js';
import { sentEvents, SESSIONS } from './research.js';
import type { SentEvent } from './research.js';
import { addressOf, searxngAnswer, startScriptedSearxng } from './scripted-search.js';
import type { RestAnswer } from './platform.js';
import type { ScriptedBackend } from './scripted-backend.js';
import { WebSite } from './web-site.js';
import type { Route } from './web-site.js';

/** A platform before a search engine that finds the pages of one site, and a scripted model server. */
export class ResearchBed {
  private constructor(
    readonly gateway: Gateway,
    readonly searxng: ScriptedBackend,
    readonly site: WebSite,
    readonly tenant: StaffedTenant,
  ) {}

  /**
   * @param routes of the site; all of its pages are found, in their order
   * @param env start-up variables put over those of the bed
   */
  static async start(
    routes: Readonly<Record<string, Route>>,
    env: Readonly<Record<string, string>> = {},
  ): Promise<ResearchBed> {
    const [searxng, site] = await Promise.all([startScriptedSearxng(), WebSite.start(routes)]);
    searxng.byDefault = () => searxngAnswer(Object.keys(routes).map((path) => ({ url: site.url(path) })));
    const gateway = await startGateway({
      env: { SEARXNG_URL: addressOf(searxng), EGRESS_ALLOW: '127.0.0.1/32', EGRESS_PORTS: '1-65535', ...env },
    });
    return new ResearchBed(gateway, searxng, site, await addStaffedTenant(gateway.platform));
  }

  get platform(): Gateway['platform'] {
    return this.gateway.platform;
  }

  /** Begins a session of the tenant's user. @returns its id */
  async begin(body: object): Promise<string> {
    const { status, body: session } = await this.platform.request('POST', SESSIONS, {
      token: this.tenant.user.token,
      body,
    });
    if (status !== 202) throw new Error(`The session was not begun: ${JSON.stringify(session)}`);
    return session.id as string;
  }

  /** The session when it is over. @param platform the replica that is asked, here and below */
  async ended(id: string, platform = this.platform): Promise<AnyJson> {
    return eventually('the session is over', 30, async () => {
      const session = await this.read(id, platform);
      return ['completed', 'failed', 'cancelled'].includes(session.status as string) && session;
    });
  }

  /** Asks as the tenant's user. @param path behind `/v1/researcher/` */
  post(path: string, body: object): Promise<RestAnswer> {
    return this.platform.request('POST', `/v1/researcher/${path}`, { token: this.tenant.user.token, body });
  }

  /** Has a session that has failed go on, and waits for its end. */
  async resumed(id: string): Promise<AnyJson> {
    const path = `${SESSIONS}/${id}/resume`;
    const { status, body } = await this.platform.request('POST', path, { token: this.tenant.user.token });
    if (status !== 202) throw new Error(`The session was not resumed: ${JSON.stringify(body)}`);
    return this.ended(id);
  }

  /** Begins a session, and waits for its end. */
  async research(body: object): Promise<AnyJson> {
    return this.ended(await this.begin(body));
  }

  async read(id: string, platform = this.platform): Promise<AnyJson> {
    return (await platform.request('GET', `${SESSIONS}/${id}`, { token: this.tenant.user.token })).body as AnyJson;
  }

  /** All events of a session that is over. */
  async events(id: string, platform = this.platform): Promise<SentEvent[]> {
    const { body } = await platform.request('GET', `${SESSIONS}/${id}/events`, { token: this.tenant.user.token });
    return sentEvents(body as unknown as string);
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await Promise.all([this.searxng.close(), this.site.close()]);
  }
}

/** A page in English with a title and paragraphs. */
export function articleOf(title: string, ...paragraphs: readonly string[]): Route {
  return articleIn('en', title, ...paragraphs);
}

/** A page with a title and paragraphs, in UTF-8. */
export function articleIn(language: string, title: string, ...paragraphs: readonly string[]): Route {
  const body = paragraphs.map((text) => `<p>${text}</p>`).join('\n');
  return {
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<html lang="${language}"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`,
  };
}
