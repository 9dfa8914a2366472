import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { eventually } from '../../support/probes/eventually.js';
import { HELD_SECONDS, holdTime } from '../../support/builders/research-time.js';
import { articleOf } from '../../support/servers/research-bed.js';
import { FACT, outcomesOf, shortenDeadline, TrapBed } from '../../support/servers/trap-bed.js';
import type { Trap } from '../../support/servers/trap-bed.js';
import { redirectTo } from '../../support/servers/web-site.js';
import type { Route } from '../../support/servers/web-site.js';
import { SLOW, TRAPS } from './traps.js';

describe('hosts that change, or come too late', () => {
  it('are not followed where a name leads elsewhere the second time', () => {
    const names = Object.keys(SECOND_TIME);

    expect(outcomesOf(sessions.second)).toEqual(Object.fromEntries(names.map((name) => [name, BLOCKED])));
    expect(sessions.second.report.sentences.map((one: AnyJson) => one.text)).toContain(FACT);
    expect(bed.trespasses).toEqual([]);
  });

  it('are connected to where that is allowed: on the way, at first, or among others', () => {
    expect(outcomesOf(sessions.others)).toEqual({
      way: BLOCKED,
      first: BLOCKED,
      among: ['read', null],
      none: ['failed', 'unreachable'],
      missing: ['failed', 'unreachable'],
    });
    expect(bed.trespasses).toEqual([]);
  });

  it('do not hold up a session beyond its time', () => {
    expect(sessions.late.status).toBe('completed');
    expect(sessions.late.report.unanswered.map((one: AnyJson) => one.reason)).toContain('max_seconds');
    expect(bed.trespasses).toEqual([]);
  });

  let bed: TrapBed;
  const sessions: Record<'second' | 'others' | 'late', AnyJson> = {} as never;
  beforeAll(async () => {
    bed = await TrapBed.start(() => ({ ...TRAPS, ...SECOND_TIME, ...OTHERS }), NAMES);
    sessions.second = await bed.research(Object.keys(SECOND_TIME));
    sessions.others = await bed.research(Object.keys(OTHERS));
    sessions.late = await cutShort(['drips', 'mute', 'hanging']);
    // What is still tried then is seen, too.
    await bed.close();
  });

  /** A session whose time ends when all of these are asked. */
  async function cutShort(names: readonly string[]): Promise<AnyJson> {
    using time = holdTime();
    const researching = bed.research(names, { max_seconds: HELD_SECONDS });
    await eventually('all are asked', 20, () => names.every((name) => bed.isAsked(name)));
    time.end();
    return researching;
  }
});

it('nothing is left open when all traps have been met', async () => {
  const before = openResources();
  const bed = await TrapBed.start(() => TRAPS);
  using _deadline = shortenDeadline(2, SLOW);

  for (const names of [
    ['gzip', 'brotli', 'endless', 'early', 'heads', 'loop', 'protocol', 'smuggled', 'closed'],
    ['drips', 'mute', 'hanging', 'dripping-robots', 'informing', 'dripping-head', 'broken-pdf', 'large', 'bomb-robots'],
  ]) {
    await bed.research(names);
  }
  await bed.close();

  await eventually('no socket, listener or child is open that was not before', 10, () => {
    const left = openResources();
    for (const name of before) if (left.includes(name)) left.splice(left.indexOf(name), 1);
    if (left.length > 0) throw new Error(left.join(' '));
    return true;
  });
});

/** The kinds of the open sockets, listeners and children of this process, each as often as there are some. */
function openResources(): string[] {
  return process.getActiveResourcesInfo().filter((name) => /^(?:TCP|Process|UDP)/.test(name));
}

/** A page that is fetched, as its robots.txt is, over a connection of its own, for which its name is looked up anew. */
function onOwnConnections(page: Route): Trap {
  const headers = { connection: 'close' };
  if (typeof page === 'function') return { page };
  return { page: { ...page, headers: { ...page.headers, ...headers } }, robots: { status: 404, headers } };
}

const ELSEWHERE = ['127.0.0.2', '::1', '169.254.169.254', '10.0.0.1', 'fd00:ec2::254'];
const BLOCKED = ['skipped', 'blocked_address'];
const SECOND_TIME = Object.fromEntries(
  ELSEWHERE.map((_, index) => [`n${index}`, onOwnConnections(articleOf('A', FACT))]),
);
const OTHERS = {
  way: onOwnConnections(redirectTo('/way-2')),
  first: onOwnConnections(articleOf('A', FACT)),
  among: onOwnConnections(articleOf('B', 'The Marn bridge is 90 metres long.')),
  none: { page: articleOf('C', FACT) },
  missing: { page: articleOf('D', FACT) },
};
const HERE = ['127.0.0.1'];
const NAMES = {
  ...Object.fromEntries(ELSEWHERE.map((address, index) => [`n${index}.test`, [HERE, [address]]])),
  'way.test': [HERE, HERE, ['10.0.0.1']],
  'first.test': [['127.0.0.2'], HERE],
  'among.test': [['127.0.0.2', '127.0.0.1', '::1']],
  'none.test': [[]],
  'missing.test': 'missing' as const,
};
