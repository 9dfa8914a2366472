import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { FACT, outcomesOf, TrapBed } from '../../support/servers/trap-bed.js';
import type { ForbiddenPorts } from '../../support/servers/trap-bed.js';
import { redirectTo } from '../../support/servers/web-site.js';
import { BLOCKED, INVALID } from './forbidden-urls.js';

const TARGETS = [
  ...BLOCKED.map((url) => ({ url, reason: 'blocked_address' })),
  ...INVALID.map((url) => ({ url, reason: 'invalid_url' })),
].map((target, index) => ({ ...target, name: `t${index}` }));
/** As many as a query finds, with the honest page. */
const AT_ONCE = 9;
const SLICES = Array.from({ length: Math.ceil(TARGETS.length / AT_ONCE) }, (_, index) => index * AT_ONCE);

describe('addresses that nobody may be led to', () => {
  let bed: TrapBed;
  beforeAll(async () => void (bed = await TrapBed.start(trapsFor, NAMES)));
  afterAll(() => bed.close());

  const slice = (start: number) => TARGETS.slice(start, start + AT_ONCE);

  it.each(SLICES)('are not connected to by a session that is redirected to them: from %i', async (start) => {
    const session = await bed.research(slice(start).map(({ name }) => name));

    expect(session.status).toBe('completed');
    expect(outcomesOf(session)).toEqual(
      Object.fromEntries(slice(start).map(({ name, reason }) => [name, ['skipped', reason]])),
    );
    expect(session.report.sentences.map((one: AnyJson) => one.text)).toContain(FACT);
    expect(bed.trespasses).toEqual([]);
  });

  it.each(SLICES)('are not connected to where they are named, or led to, by who scrapes: from %i', async (start) => {
    const ways = [
      slice(start).map(({ url }) => withPorts(url, bed.ports)),
      slice(start).map(({ name }) => bed.url(name)),
    ];

    const [direct, led] = await Promise.all(ways.map((urls) => bed.bed.post('scrape', { urls })));

    const reasons = slice(start).map(({ reason }) => reason);
    expect(direct?.body.pages.map((page: AnyJson) => page.reason)).toEqual(reasons);
    expect(led?.body.pages.map((page: AnyJson) => page.reason)).toEqual(reasons);
    expect(bed.trespasses).toEqual([]);
  });

  it.each(SLICES)('are not connected to by who asks for an answer: from %i', async (start) => {
    const sources = [...slice(start).map(({ name }) => name), 'honest'].map((name) => ({ url: bed.url(name) }));

    const [analysis, synthesis] = await Promise.all(
      ['analyze', 'synthesize'].map((path) => bed.bed.post(path, { question: QUESTION, sources })),
    );

    const reasons = [...slice(start).map(({ reason }) => reason), null];
    expect(analysis?.body.sources.map((one: AnyJson) => one.reason)).toEqual(reasons);
    expect(synthesis?.body.sources.map((one: AnyJson) => one.reason)).toEqual(reasons);
    expect(analysis?.body.claims.map((one: AnyJson) => one.text)).toContain(FACT);
    expect(synthesis?.body.report.text).toContain(FACT);
    expect(bed.trespasses).toEqual([]);
  });

  it('are not connected to behind several redirects, without a scheme, or for a robots.txt', async () => {
    const session = await bed.research(['steps', 'relative', 'robots']);

    const blocked = ['skipped', 'blocked_address'];
    expect(outcomesOf(session)).toEqual({ steps: blocked, relative: blocked, robots: blocked });
    expect(bed.trespasses).toEqual([]);
  });
});

const NAMES = {
  'metadata.google.internal': [['169.254.169.254']],
  'metadata.test': [['169.254.169.254']],
  'metadata6.test': [['fd00:ec2::254']],
  'private.test': [['10.0.0.1', 'fc00::1']],
  'mapped.test': [['::ffff:127.0.0.2']],
  'nat64.test': [['64:ff9b::7f00:2']],
  'localhost.test': [['127.0.0.2', '::1']],
};

function trapsFor(ports: ForbiddenPorts) {
  const led = TARGETS.map(({ url, name }, index) => {
    return [name, { page: redirectTo(withPorts(url, ports), STATUSES[index % STATUSES.length]) }] as const;
  });
  const inside = `127.0.0.2:${ports.everywhere}`;
  return {
    ...Object.fromEntries(led),
    steps: { page: redirectTo('/steps-2') },
    'steps-2': { page: redirectTo('/steps-3', 307) },
    'steps-3': { page: redirectTo(`http://[::ffff:127.0.0.2]:${ports.everywhere}/`, 308) },
    relative: { page: redirectTo(`//${inside}/`) },
    robots: { page: redirectTo('/honest'), robots: redirectTo(`http://${inside}/robots.txt`) },
  };
}

function withPorts(url: string, { everywhere, loopback }: ForbiddenPorts): string {
  return url.replace('PORT', String(everywhere)).replace('OTHER', String(loopback));
}

const STATUSES = [301, 302, 303, 307, 308];
const QUESTION = 'How long is the Kessel bridge?';
