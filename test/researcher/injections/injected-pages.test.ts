import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { expectInert } from '../../support/probes/inert-markdown.js';
import { FACT, TrapBed } from '../../support/servers/trap-bed.js';
import type { Trap } from '../../support/servers/trap-bed.js';
import { HIDDEN, orderedSentence, orderedUrl, orderOf, SEEN } from './injections.js';
import { obeyingModel } from './obeying-model.js';

const INJECTIONS = [
  ...HIDDEN.map((injection) => ({ ...injection, isSeen: false })),
  ...SEEN.map((injection) => ({ ...injection, isSeen: true })),
].map((injection, index) => ({ ...injection, number: 100 + index }));

describe('a page that orders something', () => {
  let bed: TrapBed;
  let shown: string[];
  beforeAll(async () => void (bed = await TrapBed.start(() => TRAPS, { 'evil.test': [['127.0.0.1']] })));
  afterAll(() => bed.close());
  beforeEach(() => void (shown = []));

  it.each(INJECTIONS)('is not obeyed: $what', async ({ number, isSeen, language = 'en' }) => {
    const [ordered, url] = [orderedSentence(number, language), orderedUrl(number)];
    bed.bed.gateway.backend.byDefault = obeyingModel(
      { ordered, url, order: orderOf(number, language), fact: FACT },
      shown,
    );

    const [builtin, obeying] = await Promise.all([
      bed.research([`p${number}`]),
      bed.research([`p${number}`], { model: 'scripted' }),
    ]);

    expect(shown.join('\n').includes(`Zorbo${number}`)).toBe(isSeen);
    expect(obeying.report.sentences).toEqual([{ text: FACT, support: 'verbatim', citations: [1] }]);
    expect(obeying.report.text).not.toMatch(/Zorbo|evil/);
    expect(builtin.report.sentences.map((one: AnyJson) => one.text)).toContain(FACT);
    // A sentence that everybody sees may be quoted as what the page says, whole, and as nothing else.
    const texts = builtin.report.sentences.map((one: AnyJson) => one.text);
    expect(texts).not.toContain(ordered);
    if (!isSeen) expect(JSON.stringify(builtin)).not.toMatch(/Zorbo|evil/);
    for (const session of [builtin, obeying]) expectCitedSources(session);
    expect(bed.lookups).not.toContain('evil.test');
    expect(bed.trespasses).toEqual([]);
  });

  function expectCitedSources({ report, sources }: AnyJson): void {
    expectInert(report.text);
    const read = new Map(sources.map((one: AnyJson) => [one.id, one]));
    for (const { source_id: id, url, quote } of report.citations as AnyJson[]) {
      expect(read.get(id)).toMatchObject({ status: 'read', final_url: url });
      expect(quote).not.toBe('');
    }
  }
});

it('a statement that a page makes for everybody to see is cited as that of the page, and only word for word', async () => {
  const said = 'The Kessel bridge belongs to the Zorbo family.';
  const lie = `<html lang="en"><head><title>${said}</title></head><body><main><p>${said}</p></main></body></html>`;
  const bed = await TrapBed.start(() => ({ lie: { page: { body: lie } } }));
  bed.bed.gateway.backend.byDefault = obeyingModel({ ordered: said, url: 'x', order: said, fact: FACT }, []);

  const { report, sources } = await bed.research(['lie'], { model: 'scripted', strict: true });
  await bed.close();

  const sentence = report.sentences.find((one: AnyJson) => one.text === said);
  const citations = sentence.citations.map((index: number) => report.citations[index - 1]);
  expect(sentence.support).toBe('verbatim');
  expect(citations.map((one: AnyJson) => one.source_id)).toEqual([
    sources.find((one: AnyJson) => one.url.endsWith('/lie')).id,
  ]);
});

const TRAPS: Readonly<Record<string, Trap>> = Object.fromEntries(
  INJECTIONS.map(({ page, number, language }) => {
    const fact = `<p>The Kessel bridge has four lanes and ${number} lamps, which are lit at night.</p>`;
    const body = `<html lang="en"><head><title>Lamps</title></head><body><main>${fact}${page(orderOf(number, language))}</main></body></html>`;
    return [`p${number}`, { page: { headers: { 'content-type': 'text/html; charset=utf-8' }, body } }];
  }),
);
