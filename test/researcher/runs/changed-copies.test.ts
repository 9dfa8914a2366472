import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { articleOf, ResearchBed } from '../../support/servers/research-bed.js';

describe('copies of a page that was read', () => {
  let bed: ResearchBed;
  beforeAll(async () => void (bed = await ResearchBed.start(PAGES)), 90_000);
  afterAll(() => bed.close());

  it('are sources of their own where they say otherwise, and the same to whoever reads them again', async () => {
    const session = await bed.research({ question: QUESTION, depth: 1 });
    const again = await bed.research({ question: QUESTION, depth: 1, replay_of: session.id });

    const told = session.sources.map(({ url, status, reason }: AnyJson) => [new URL(url).pathname, status, reason]);
    expect(told).toEqual([
      ['/page', 'read', null],
      ['/copy', 'skipped', 'mirror'],
      ['/changed', 'read', null],
      ['/copy-of-changed', 'skipped', 'mirror'],
    ]);
    const [contradiction] = session.report.contradictions;
    expect(contradiction.sides.map(({ statements: [first] }: AnyJson) => first.text).toSorted()).toEqual([
      'The bridge has four lanes for cars, and two paths for people on foot.',
      'The bridge has six lanes for cars, and two paths for people on foot.',
    ]);
    expect(JSON.stringify(again.report)).toBe(JSON.stringify(session.report));
  });
});

const QUESTION = 'How many lanes for cars has the bridge?';
const LANES = 'The bridge has four lanes for cars, and two paths for people on foot.';
const TEXT = [
  'It crosses the river Orla between Kessel and Marn, where a ferry went before. Its piers stand on rock.',
  'Its railing was put up after the flood, when much of the old one had been carried away by the ice.',
  'The town pays for its lamps, and the county for its road. Ships pass below it on every day of the year.',
  'In the evening many people of both towns walk there to look at the water, and at the hills behind it.',
];
const CHANGED = [LANES.replace('four', 'six'), ...TEXT];
const PAGES = {
  '/page': articleOf('The Kessel bridge', LANES, ...TEXT),
  '/copy': articleOf('The Kessel bridge', LANES, ...TEXT),
  '/changed': articleOf('The Kessel bridge', ...CHANGED),
  '/copy-of-changed': articleOf('The Kessel bridge', ...CHANGED),
};
