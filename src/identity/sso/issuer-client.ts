import { Unavailable } from '../../errors.js';
import type { NetConfig } from '../../platform/net/config.js';
import { egressRule } from '../../platform/net/egress-rule.js';
import type { EgressRule } from '../../platform/net/egress-rule.js';
import { Origin } from '../../platform/net/egress.js';
import { isLoopback } from '../../platform/net/loopback.js';
import { parseJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { SsoSettings } from '../providers/provider-settings.js';
import type { OpenedProvider } from '../providers/provider-store.js';
import { AWAY } from './kept-values.js';

const TIMEOUT_SECONDS = 10;
const MAX_ANSWER_BYTES = 256 * 1024;
/** Statuses whose answers have no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** What is sent to an issuer, as `openid-client` gives it. */
interface IssuerRequest {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * Talks to the issuers of identity providers. The hosts that a sysadmin has approved may be private; every other one,
 * such as one that an issuer names itself, has to be public. Redirects are not followed.
 */
export class IssuerClient {
  private readonly publicOnly: EgressRule;

  constructor({ egressAllow, egressPorts }: Pick<NetConfig, 'egressAllow' | 'egressPorts'>) {
    this.publicOnly = egressRule(egressAllow, egressPorts);
  }

  /**
   * Reads a JSON document.
   * @throws Unavailable where there is none within 10 s and 256 KiB
   */
  async readJson(provider: OpenedProvider<SsoSettings>, url: string): Promise<JsonObject> {
    const headers = { accept: 'application/json' };
    const response = await this.fetch(provider, url, { method: 'GET', headers });
    const value = response.ok ? parseJsonObject(Buffer.from(await response.arrayBuffer())) : undefined;
    if (!value) throw new Unavailable(AWAY);
    return value;
  }

  /**
   * Sends a request as `fetch` would.
   * @throws Unavailable where nothing answers whole within 10 s and 256 KiB, or nothing may be sent there
   */
  async fetch(provider: OpenedProvider<SsoSettings>, target: string, request: IssuerRequest): Promise<Response> {
    const url = new URL(target);
    if (!isSecure(url)) throw new Unavailable(AWAY);
    const origin = new Origin({
      baseUrl: url.origin,
      headers: {},
      maxConnections: 1,
      timeoutSeconds: TIMEOUT_SECONDS,
      rule: isApproved(provider, url) ? undefined : this.publicOnly,
    });
    try {
      const answer = await origin.request({
        method: request.method === 'POST' ? 'POST' : 'GET',
        path: url.pathname + url.search,
        absolute: true,
        // A GET has no content that could have a type.
        headers: { 'content-type': undefined, ...request.headers },
        body: request.method === 'POST' ? String(request.body) : undefined,
        signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1_000),
      });
      const limits = { bytes: MAX_ANSWER_BYTES, milliseconds: TIMEOUT_SECONDS * 1_000 };
      return toResponse(answer.status, answer.headers, await answer.body.readAll(limits));
    } catch (error) {
      throw Object.assign(new Unavailable(AWAY), { cause: error });
    } finally {
      await origin.close();
    }
  }
}

/** Plain http never leaves this machine. */
export function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

function isApproved({ approved, settings }: OpenedProvider<SsoSettings>, { host }: URL): boolean {
  const seen = [settings.issuer, settings.jwks_uri].flatMap((text) => (text === undefined ? [] : [new URL(text).host]));
  return approved && seen.includes(host);
}

function toResponse(
  status: number,
  fields: Readonly<Record<string, string | string[] | undefined>>,
  bytes: Buffer,
): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(fields))
    for (const part of [value ?? []].flat()) headers.append(name, part);
  return new Response(BODILESS.has(status) ? null : new Uint8Array(bytes), { status, headers });
}
