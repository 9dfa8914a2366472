import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { searxngAnswer } from '../../support/servers/scripted-search.js';
import { articleOf, ResearchBed } from '../../support/servers/research-bed.js';

describe('research with the builtin model', () => {
  let bed: ResearchBed;
  beforeAll(async () => void (bed = await ResearchBed.start(PAGES)));
  afterAll(() => bed.close());

  it('answers with sentences of the sources, each with the place where it stands', async () => {
    const session = await bed.research({ question: QUESTION, depth: 1 });

    expect([session.status, session.error]).toEqual(['completed', null]);
    expect(session.report.text).toContain('The Kessel bridge is 412 metres long');
    for (const { source_id: id, quote, start, end } of session.report.citations as AnyJson[]) {
      const source = session.sources.find((one: AnyJson) => one.id === id);
      expect(source).toMatchObject({ status: 'read', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect((await bed.textOf(session.id, id)).slice(start, end)).toBe(quote);
    }
    expect(session.report.sentences.every(({ support }: AnyJson) => support === 'verbatim')).toBe(true);
    expect(session.usage.total_tokens).toBe(0);
  });

  it('tells of each source what became of it', async () => {
    const session = await bed.research({ question: QUESTION, depth: 1 });

    const told = session.sources.map(({ url, status, reason }: AnyJson) => [new URL(url).pathname, status, reason]);
    expect(told).toEqual([
      ['/bridge', 'read', null],
      ['/other', 'read', null],
      ['/copy', 'skipped', 'mirror'],
      ['/gone', 'failed', 'http_error'],
      ['/picture', 'skipped', 'unsupported_type'],
    ]);
    expect(session.sources[0].mirrors).toEqual([bed.site.url('/copy')]);
  });

  it('shows both sides where sources contradict each other', async () => {
    const session = await bed.research({ question: QUESTION, depth: 1 });

    const [contradiction] = session.report.contradictions;
    expect(contradiction.kind).toBe('number');
    expect(contradiction.sides.map(({ statements }: AnyJson) => statements[0].text).toSorted()).toEqual([
      expect.stringContaining('398 metres'),
      expect.stringContaining('412 metres'),
    ]);
  });

  it('has its events, numbered from 1, each once', async () => {
    const session = await bed.research({ question: QUESTION, depth: 1 });

    const events = await bed.events(session.id);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    expect(events.filter(({ event }) => event === 'source')).toHaveLength(5);
    expect(events.filter(({ event }) => event === 'claim').length).toBeGreaterThan(0);
    expect(events.at(-1)?.event).toBe('done');
    const statuses = events.filter(({ event }) => event === 'status').map(({ data }) => data.status);
    expect(statuses).toEqual(['queued', 'searching', 'reading', 'analyzing', 'synthesizing', 'completed']);
  });

  it('is the same, byte by byte, where its sources are read again without the network', async () => {
    const first = await bed.research({ question: QUESTION, depth: 1 });
    const requests = bed.site.requests.length;

    const again = await bed.research({ question: QUESTION, depth: 1, replay_of: first.id });

    expect(JSON.stringify(again.report)).toBe(JSON.stringify(first.report));
    expect(bed.site.requests).toHaveLength(requests);
  });

  it('answers a question that is longer than a heading may be', async () => {
    const question = `How long is the Kessel bridge${', which crosses the river Orla between two towns'.repeat(10)}?`;

    const session = await bed.research({ question, depth: 1 });

    expect(session.report.text).toContain('The Kessel bridge is 412 metres long');
    expect(session.report.unanswered.map((one: AnyJson) => one.question)).not.toContain(question);
  });

  it('is completed with nothing where nothing is found', async () => {
    bed.searxng.answer(...Array.from({ length: 12 }, () => EMPTY));

    const session = await bed.research({ question: 'What is a zyxomma?', depth: 1 });

    expect([session.status, session.report.sentences, session.report.citations]).toEqual(['completed', [], []]);
    expect(session.report.unanswered[0]).toEqual({ question: 'What is a zyxomma?', reason: 'not_found' });
  });
});

const TEXT = [
  'The Kessel bridge is 412 metres long. It crosses the river Orla between Kessel and Marn.',
  'The bridge was opened in 1967. It has four lanes for cars, and two paths for people on foot.',
  'It was repaired after the flood, and a new railing was put up on both of its sides.',
];
const PAGES = {
  '/bridge': articleOf('The Kessel bridge', ...TEXT),
  '/other': articleOf('Bridges of Marn', 'The Kessel bridge is 398 metres long. Marn has three other bridges.'),
  '/copy': articleOf('The Kessel bridge', ...TEXT),
  '/gone': { status: 410 },
  '/picture': { headers: { 'content-type': 'image/png' }, body: 'PNG' },
};
const EMPTY = searxngAnswer([]);
const QUESTION = 'How long is the Kessel bridge?';
