import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { articleOf, ResearchBed } from '../../support/servers/research-bed.js';
import { answer, askedBy } from '../../support/builders/researching-model.js';
import type { ResearchTask } from '../../support/builders/researching-model.js';
import { completion } from '../../support/servers/scripted-backend.js';

const QUESTION = 'How long is the Kessel bridge?';
const HONEST = 'The Kessel bridge is 412 metres long.';
const CLAIM = { text: HONEST, question: 1, quotes: [HONEST] };
const INVENTED = { text: 'The Kessel bridge is 900 metres long.', question: 1, quotes: [HONEST] };
const KNOWN = [{ text: HONEST, support: 'verbatim', citations: [1] }];

describe('a model that answers in a form that nobody has asked for', () => {
  let bed: ResearchBed;
  beforeAll(async () => void (bed = await ResearchBed.start(PAGES)));
  afterAll(() => bed.close());

  it.each([
    ['nothing', ''],
    ['prose', 'The Kessel bridge is 900 metres long, see https://evil.test.'],
    ['a list', JSON.stringify([INVENTED])],
    ['null', 'null'],
    ['a number', '900'],
    ['JSON that breaks off', JSON.stringify({ claims: [INVENTED] }).slice(0, -3)],
    ['claims that are no list', JSON.stringify({ claims: INVENTED })],
    ['claims that are texts', JSON.stringify({ claims: [INVENTED.text, 7, null, [INVENTED]] })],
    ['claims without a text', JSON.stringify({ claims: [{ ...INVENTED, text: { toString: 'x' } }] })],
    ['another form', JSON.stringify({ sentences: [INVENTED], questions: [QUESTION], report: INVENTED.text })],
    ['a form of its own prototype', '{"__proto__": {"claims": [{"text": "The Kessel bridge is 900 metres long."}]}}'],
    ['deep JSON', `{"claims": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['deep claims', `{"claims": [{"text": ${'{"text":'.repeat(5_000)}1${'}'.repeat(5_000)}}]}`],
    ['JSON that is too long', JSON.stringify({ claims: [{ ...INVENTED, text: INVENTED.text.repeat(30_000) }] })],
    ['a number of values that nobody reads', JSON.stringify({ claims: Array.from({ length: 30_000 }, () => 0) })],
  ])('says nothing: %s', async (_what, content) => {
    bed.gateway.backend.byDefault = () => completion(content);

    const { status, report } = await bed.research({ question: QUESTION, depth: 1, model: 'scripted' });

    expect([status, report.text, report.sentences, report.citations]).toEqual(['completed', '', [], []]);
    expect(report.unanswered).toEqual(expect.arrayContaining([{ question: QUESTION, reason: 'not_found' }]));
  });

  it.each([
    ['a fence of code', '```json\nJSON\n```'],
    ['words before it', 'Here you are: JSON'],
  ])('is understood: %s', async (_what, form) => {
    answerAs({ claims: () => form.replace('JSON', JSON.stringify({ claims: [CLAIM] })) });

    const { report } = await bed.research({ question: QUESTION, depth: 1, model: 'scripted' });

    expect(report.sentences).toEqual(KNOWN);
  });

  it.each([
    ['thousands of claims', [CLAIM, ...Array.from({ length: 2_000 }, () => INVENTED)], 2_000],
    ['the same claim again and again', Array.from({ length: 100 }, () => CLAIM), 0],
    [
      'a question that there is not',
      [
        { ...CLAIM, question: 99 },
        { ...INVENTED, question: -1 },
      ],
      1,
    ],
    [
      'a number of a question that is none',
      [
        { ...CLAIM, question: 'x' },
        { ...INVENTED, question: {} },
      ],
      1,
    ],
    ['quotes that are none', [CLAIM, { ...INVENTED, quotes: 'x' }, { ...INVENTED, quotes: [7, null, {}] }], 2],
    ['no quotes', [CLAIM, { text: INVENTED.text, question: 1 }], 1],
    ['quotes with ids of sources', [CLAIM, { ...INVENTED, quotes: [{ source: 'src_1', quote: HONEST }] }], 1],
    ['a source that it names itself', [CLAIM, { ...INVENTED, source: 'src_1', url: 'https://evil.test/' }], 1],
    ['a support that it claims itself', [CLAIM, { ...INVENTED, support: 'verbatim', citations: [1] }], 1],
    ['many quotes, of which one is true', [CLAIM, { ...INVENTED, quotes: ['x'.repeat(20), '', 'y', HONEST] }], 1],
  ])('is counted, beside what is true: %s', async (_what, claims, dropped) => {
    answerAs({ claims: () => JSON.stringify({ claims }) });

    const { report } = await bed.research({ question: QUESTION, depth: 1, model: 'scripted' });

    expect(report.sentences).toEqual(KNOWN);
    const { count, reasons } = report.dropped as { count: number; reasons: Record<string, number> };
    expect(count).toBe(dropped);
    expect(Object.values(reasons).reduce((sum, one) => sum + one, 0)).toBe(dropped);
  });

  it.each([
    ['queries that are addresses', ['https://evil.test/', 'http://169.254.169.254/latest', 'file:///etc/passwd']],
    ['queries that are none', ['', ' ', '…', 7, null, {}, ['x']]],
    ['queries without end', ['x'.repeat(100_000), 'Why? '.repeat(1_000)]],
    ['queries with what nobody sees', ['Why\u0000is\ud800it\u202e?', '\u200b']],
    ['hundreds of queries', Array.from({ length: 500 }, (_, index) => `Why ${index}?`)],
  ])('plans nothing but queries, six at most: %s', async (_what, questions) => {
    const before = bed.searxng.requests.length;
    answerAs({ plan: () => JSON.stringify({ questions }), claims: () => JSON.stringify({ claims: [CLAIM] }) });

    const { status, report, sources } = await bed.research({ question: QUESTION, depth: 1, model: 'scripted' });

    const queries = new Set(bed.searxng.requests.slice(before).map(({ path }) => new URLSearchParams(path).get('q')));
    expect([status, report.sentences]).toEqual(['completed', KNOWN]);
    expect(sources.map((one: AnyJson) => one.url)).toEqual([bed.site.url('/bridge')]);
    expect(queries.size).toBeLessThanOrEqual(6);
  });

  it('has what it plans above the parts of a report as questions, which state nothing', async () => {
    const questions = [
      'The Kessel bridge collapsed in 1999.',
      'See https://evil.test/ for the bridge',
      'What is the Orla?',
    ];
    answerAs({
      plan: () => JSON.stringify({ questions }),
      claims: () => JSON.stringify({ claims: [{ ...CLAIM, question: 2 }] }),
    });

    const { report } = await bed.research({ question: QUESTION, depth: 1, model: 'scripted' });

    expect(report.text).toContain('## The Kessel bridge collapsed in 1999?\n');
    expect(report.unanswered.map((one: AnyJson) => one.question)).toEqual([QUESTION, 'What is the Orla?']);
  });

  /** Answers a task with a text; others as they are asked. */
  function answerAs(texts: Partial<Record<ResearchTask, () => string>>): void {
    bed.gateway.backend.byDefault = (request) => {
      const { task } = askedBy(request);
      const text = texts[task]?.();
      return text === undefined ? answer({ questions: [], claims: [], sentences: [] }) : completion(text);
    };
  }
});

const PAGES = { '/bridge': articleOf('Kessel', HONEST, 'It crosses the river Orla between Kessel and Marn.') };
