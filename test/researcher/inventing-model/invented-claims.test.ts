import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { articleIn, ResearchBed } from '../../support/servers/research-bed.js';
import { answer, askedBy } from '../../support/builders/researching-model.js';
import type { ResearchTask } from '../../support/builders/researching-model.js';
import { searxngAnswer } from '../../support/servers/scripted-search.js';
import { INVENTED, QUESTION, SNIPPET, TEXTS } from './invented-claims.js';

type Language = keyof typeof TEXTS;

describe('what a model invents', () => {
  let bed: ResearchBed;
  beforeAll(async () => {
    bed = await ResearchBed.start(PAGES);
    const found = Object.keys(PAGES).map((path) => ({ url: bed.site.url(path), text: SNIPPET, title: SNIPPET }));
    bed.searxng.byDefault = () => searxngAnswer(found);
  });
  afterAll(() => bed.close());

  const rows = LANGUAGES().flatMap((language) =>
    INVENTED[language].map(([what, text, quotes]) => ({ language, what, text, quotes })),
  );

  it.each(rows)('is not among the claims: $language, $what', async ({ language, text, quotes }) => {
    const invented = { text, question: 1, quotes };
    answerAs((asked) => (asked === language ? [honestClaim(language), invented] : []));

    const { status, body } = await bed.post('analyze', { question: QUESTION, model: 'scripted', sources: GIVEN });

    expect(status).toBe(200);
    expect(body.claims.map((claim: AnyJson) => claim.text)).toEqual([HONEST[language]]);
    expect(body.dropped).toEqual({ count: 1, reasons: { [reasonOf(body.dropped)]: 1 } });
  });

  it.each(LANGUAGES())('is not in the report of a session, in claims, repairs and sections: %s', async (language) => {
    const invented = INVENTED[language].map(([, text, quotes]) => ({ text, question: 1, quotes }));
    answerAs((asked) => (asked === language ? [honestClaim(language), ...invented] : []));

    const { status, report, sources } = await bed.research({ question: QUESTION, depth: 1, model: 'scripted' });

    expect(status).toBe('completed');
    expectHonest(report, language);
    expect(report.dropped.count).toBe(2 * invented.length);
    expect(report.citations.map((one: AnyJson) => one.source_id)).toEqual([
      sources.find((one: AnyJson) => one.url.endsWith(`/${language}`)).id,
    ]);
  });

  it.each(LANGUAGES())('is not in a report of given sources: %s', async (language) => {
    const invented = INVENTED[language].map(([, text, quotes]) => ({ text, question: 1, quotes }));
    answerAs((asked) => (asked === language ? [honestClaim(language), ...invented] : []));

    const { body } = await bed.post('synthesize', { question: QUESTION, model: 'scripted', sources: GIVEN });

    expectHonest(body.report, language);
    expect(body.report.dropped.count).toBe(2 * invented.length);
  });

  it('is not in the report where sections take their proof from other claims', async () => {
    const known = [...TEXTS.en.join(' ').matchAll(/(?:The Kessel|Nordbau|Lorries)[^.]+\./g)].map(([text]) => text);
    bed.gateway.backend.byDefault = (request) => {
      const { task, passages } = askedBy(request);
      if (task === 'plan') return answer({ questions: [] });
      if (task === 'section') return answer({ sentences: sectionsOf(passages) });
      const isEnglish = passages[0]?.includes('Lorries') === true;
      return answer({ claims: isEnglish ? known.map((text) => ({ text, question: 1, quotes: [text] })) : [] });
    };

    const { report } = await bed.research({ question: QUESTION, depth: 1, model: 'scripted' });

    expect(report.sentences.map((one: AnyJson) => one.text)).toEqual([HONEST.en]);
    expect(report.dropped.count).toBe(9);
  });

  it('is not kept where only what stands in a source counts, and neither is what says the same', async () => {
    const same = { text: 'The length of the Kessel bridge is 412 m.', question: 1, quotes: [HONEST.en] };
    answerAs((asked) => (asked === 'en' ? [same, honestClaim('en')] : []));
    const request = { question: QUESTION, model: 'scripted', depth: 1 };

    const [loose, strict] = [await bed.research(request), await bed.research({ ...request, strict: true })];

    const supportOf = ({ report }: AnyJson) => report.sentences.map((one: AnyJson) => one.support);
    expect([supportOf(loose), supportOf(strict)]).toEqual([['checked', 'verbatim'], ['verbatim']]);
    expect(strict.report.dropped.reasons.not_verbatim).toBeGreaterThan(0);
  });

  /** A model that claims the same again where it is asked to repair it, and writes all of it into sections. */
  function answerAs(claimsOf: (language: Language) => readonly { readonly text: string }[]): void {
    bed.gateway.backend.byDefault = (request) => {
      const { task, prompt } = askedBy(request);
      const language = LANGUAGES().find((one) => prompt.includes(HONEST[one])) ?? 'en';
      const claims = claimsOf(language);
      const answers: Record<ResearchTask, object> = {
        plan: { questions: [] },
        claims: { claims },
        repair: { claims: claims.slice(1) },
        section: { sentences: claims.map(({ text }) => ({ text, claims: [1] })) },
      };
      return answer(answers[task]);
    };
  }

  function expectHonest(report: AnyJson, language: Language): void {
    expect(report.sentences).toEqual([{ text: HONEST[language], support: 'verbatim', citations: [1] }]);
    // The heading is the question as it was asked.
    const text = report.text.replace(QUESTION, '');
    expect(text).not.toMatch(/evil|900|circus|giants/);
    for (const [, invented] of INVENTED[language]) if (invented.length > 10) expect(text).not.toContain(invented);
  }
});

const HONEST: Readonly<Record<Language, string>> = {
  en: 'The Kessel bridge is 412 metres long.',
  de: 'Die Brücke von Kessel ist 412 Meter lang.',
  fr: 'Le pont de Kessel mesure 412 mètres.',
};
const PAGES = Object.fromEntries(
  LANGUAGES().map((language) => [`/${language}`, articleIn(language, 'Kessel', ...TEXTS[language])]),
);
const GIVEN = LANGUAGES().map((language) => ({ text: TEXTS[language].join('\n\n') }));

function LANGUAGES(): Language[] {
  return ['en', 'de', 'fr'];
}

function honestClaim(language: Language) {
  return { text: HONEST[language], question: 1, quotes: [HONEST[language]] };
}

function reasonOf({ reasons }: AnyJson): string {
  return Object.keys(reasons)[0] ?? '';
}

/** One honest sentence, and those that name claims which say something else, or none at all. */
function sectionsOf(passages: readonly string[]): object[] {
  const numberOf = (text: string): number => passages.findIndex((passage) => passage.startsWith(text)) + 1;
  const length = numberOf(HONEST.en);
  return [
    { text: HONEST.en, claims: [length] },
    { text: 'The Kessel bridge was opened in 1967.', claims: [length] },
    { text: 'Nordbau opened the Kessel bridge in 1967.', claims: passages.map((_, index) => index + 1) },
    { text: 'The Kessel bridge is 40 metres long.', claims: passages.map((_, index) => index + 1) },
    { text: 'The Kessel bridge is long.', claims: [999, -1, 0, 1.5] },
    { text: 'The Kessel bridge is made of glass.', claims: [] },
    { text: 'The Kessel bridge is made of gold.', claims: 'all' },
    { text: 'The Kessel bridge is made of steel.' },
    { text: `${HONEST.en} See https://evil.test/report.`, claims: [length] },
    { text: '![the bridge](https://evil.test/q?length=412)', claims: [length] },
  ];
}
