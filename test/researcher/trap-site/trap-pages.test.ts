import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { FACT, outcomesOf, shortenDeadline, TrapBed } from '../../support/servers/trap-bed.js';
import { GROUPS, SLOW, TRAPS } from './traps.js';

describe('a page that is a trap', () => {
  let bed: TrapBed;
  beforeAll(async () => void (bed = await TrapBed.start(() => TRAPS, { 'silent.test': 'silent' })));
  afterAll(() => bed.close());

  it.each(Object.entries(GROUPS))('has a reason, and the others are read: %s', async (_group, expected) => {
    using _deadline = shortenDeadline(2, SLOW);

    const session = await bed.research(Object.keys(expected));

    expect(session.status).toBe('completed');
    expect(outcomesOf(session)).toEqual(expected);
    expect(session.report.sentences.map((one: AnyJson) => one.text)).toContain(FACT);
    expect(session.report.text).not.toContain('900 metres');
    expect(bed.trespasses).toEqual([]);
  });

  it('that leads on by itself is read, and what it leads to is not', async () => {
    const session = await bed.research(['refresh', 'meta', 'sitemap']);

    expect(outcomesOf(session)).toEqual({
      refresh: ['read', null],
      meta: ['read', null],
      sitemap: ['skipped', 'javascript_required'],
    });
    expect(bed.bed.site.requests.map(({ path }) => path)).not.toContain('/secret');
  });

  it('that says something else each time is cited as it was when it was read, once', async () => {
    const before = bed.bed.site.requests.length;
    const first = await bed.research(['changing']);
    const second = await bed.research(['changing']);

    const saidBy = ({ report }: AnyJson) =>
      report.citations.map((one: AnyJson) => one.quote).filter((quote: string) => quote.includes('lanes'));
    expect([saidBy(first), saidBy(second)]).toEqual([
      ['The Kessel bridge has 1 lanes.'],
      ['The Kessel bridge has 2 lanes.'],
    ]);
    const requests = bed.bed.site.requests.slice(before).filter(({ path }) => path === '/changing');
    expect(requests).toHaveLength(2);
  });
});
