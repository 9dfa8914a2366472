import { addStaffedTenant } from '../builders/accounts.js';
import type { StaffedTenant } from '../builders/accounts.js';
import { startGateway } from './gateway.js';
import type { Gateway } from './gateway.js';
import { ResearchProbe } from '../probes/research-probe.js';
import { addressOf, searxngAnswer, startScriptedSearxng } from './scripted-search.js';
import type { ScriptedBackend } from './scripted-backend.js';
import { WebSite } from './web-site.js';
import type { Route } from './web-site.js';

/** A platform before a search engine that finds the pages of one site, and a scripted model server. */
export class ResearchBed extends ResearchProbe {
  private constructor(
    readonly gateway: Gateway,
    readonly searxng: ScriptedBackend,
    readonly site: WebSite,
    readonly tenant: StaffedTenant,
  ) {
    super(gateway.platform, tenant.user.token);
  }

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
