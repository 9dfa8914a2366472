import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';
import { ClaimVerifier } from '../../../src/researcher/verification/claim-verifier.js';
import type { SnapshotSource } from '../../../src/researcher/verification/verification.types.js';

describe('a claim', () => {
  it('that stands in its source as a whole sentence is verbatim, with the place of the sentence', async () => {
    const { proven } = await verify('The tower is 96 metres high.', [['en', 'tower is 96 metres']]);

    const [quote] = proven[0]?.quotes ?? [];
    expect(proven[0]?.support).toBe('verbatim');
    expect(quote && SOURCES.en.text.slice(quote.start, quote.end)).toBe('The tower is 96 metres high.');
  });

  it('that there is no time for is refused', async () => {
    const cooperation = new CooperativeYield(new AbortController().signal);
    const verifier = new ClaimVerifier([SOURCES.en], false, cooperation, AbortSignal.abort());
    const text = 'The tower is 96 metres high.';

    const { proven, refused } = await verifier.verify([{ text, quotes: [{ source: 'en', quote: text }] }]);

    expect([proven, refused.map(({ reason }) => reason), verifier.isLate]).toEqual([[], ['time'], true]);
  });

  it('that says the same in other words is checked, but not where only words count', async () => {
    const claim = ['The height of the tower is 96 m.', [['en', 'The tower is 96 metres high.']]] as const;

    const [checked, strict] = [await verify(...claim), await verify(...claim, true)];

    expect(checked.proven[0]?.support).toBe('checked');
    expect(strict).toMatchObject({ proven: [], refused: [{ reason: 'not_verbatim' }] });
  });

  it.each([
    ['without a quote', 'The tower is 96 metres high.', [], 'no_quote'],
    ['with an invented quote', 'The tower is blue.', [['en', 'The tower is painted in blue.']], 'quote_not_found'],
    [
      'with an invented source',
      'The tower is 96 metres high.',
      [['other', 'The tower is 96 metres high.']],
      'unknown_source',
    ],
    [
      'with the quote of another source',
      'The tower is 96 metres high.',
      [['de', 'The tower is 96 metres high.']],
      'quote_not_found',
    ],
    ['with a quote that stands everywhere', 'The tower is 96 metres high.', [['en', 'The tower']], 'quote_too_short'],
    ['with a padded quote', 'The tower is 96 metres high.', [['en', 'The          \n      tower']], 'quote_too_short'],
    ['with another number', 'The tower is 69 metres high.', [['en', 'The tower is 96 metres high.']], 'number'],
    ['that cuts off a denial', 'The tower was built by giants.', [['en', 'the tower was built by giants']], 'negation'],
    [
      'that adds an address',
      'The tower of evil.example is 96 metres high.',
      [['en', 'The tower is 96 metres high.']],
      'address',
    ],
    ['in a language without rules', 'La tour est haute de 96 m.', [['fr', 'La tour mesure 96 mètres.']], 'language'],
    ['that says nothing', ' \u200b…', [['en', 'The tower is 96 metres high.']], 'empty'],
    ['that a question asks', 'The tower leans to the north.', [['en', 'Does the tower lean to the north?']], 'words'],
  ] as const)('%s is dropped', async (_what, text, quotes, reason) => {
    const { proven, refused } = await verify(text, quotes);

    expect({ proven, reasons: refused.map((one) => one.reason) }).toEqual({ proven: [], reasons: [reason] });
  });

  it('is verbatim in any language, and its own marks are taken off', async () => {
    const { proven } = await verify('La tour mesure 96 mètres [3].', [['fr', 'La tour mesure 96 mètres.']]);

    expect(proven).toMatchObject([{ text: 'La tour mesure 96 mètres.', support: 'verbatim' }]);
  });

  it('keeps the quotes that prove it, and not those that were added', async () => {
    const { proven } = await verify('The height of the tower is 96 m.', [
      ['en', 'The gate was closed in May 1931.'],
      ['en', 'The tower is 96 metres high.'],
      ['en', 'This sentence stands nowhere.'],
    ]);

    expect(proven[0]?.quotes.map(({ quote }) => quote)).toEqual(['The tower is 96 metres high.']);
  });
});

it.each([
  [
    'en',
    'Das Medikament ist in Deutschland nicht für Kinder zugelassen.',
    'Das Medikament ist in Deutschland für Kinder zugelassen.',
    'negation',
  ],
  ['de-DE', 'The vaccine does not cause autism in children.', 'The vaccine does cause autism in children.', 'negation'],
  [
    'en',
    'Le médicament n’est pas autorisé pour les enfants en France.',
    'Le médicament est autorisé pour les enfants en France.',
    'language',
  ],
  [
    null,
    'Il farmaco non è autorizzato per i bambini in Italia.',
    'Il farmaco è autorizzato per i bambini in Italia.',
    'language',
  ],
])(
  'is compared by the rules of the language that it is in, whatever its page declares: %s, %s',
  async (language, text, claim, reason) => {
    const verifier = new ClaimVerifier([{ ...SOURCES.en, text, language }], false, new CooperativeYield());

    const { proven, refused } = await verifier.verify([{ text: claim, quotes: [{ source: 'en', quote: text }] }]);

    expect({ proven, reasons: refused.map((one) => one.reason) }).toEqual({ proven: [], reasons: [reason] });
  },
);

it('is proven by a source that declares another language', async () => {
  const verifier = new ClaimVerifier([{ ...SOURCES.en, language: 'de' }], false, new CooperativeYield());

  const { proven } = await verifier.verify([
    { text: 'The height of the tower is 96 m.', quotes: [{ source: 'en', quote: 'The tower is 96 metres high.' }] },
  ]);

  expect(proven).toMatchObject([{ support: 'checked' }]);
});

it('refuses more claims than an answer may have', async () => {
  const verifier = new ClaimVerifier(Object.values(SOURCES), false, new CooperativeYield());

  const { refused } = await verifier.verify(Array.from({ length: 202 }, () => ({ text: 'A.', quotes: [] })));

  expect(refused.filter(({ reason }) => reason === 'too_many_claims')).toHaveLength(2);
});

it('ends with its signal', async () => {
  const source = { ...SOURCES.en, text: 'The tower is high. '.repeat(100_000) };
  const gone = new CooperativeYield(AbortSignal.abort(new Error('gone')));

  const checking = new ClaimVerifier([source], false, gone).verify([
    { text: 'The tower is blue.', quotes: [{ source: 'en', quote: 'The tower is not blue at all.' }] },
  ]);

  await expect(checking).rejects.toThrow('gone');
});

it('proves nothing that does not stand in the source, whatever the texts are', async () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));

  await fc.assert(
    fc.asyncProperty(text, text, fc.constantFrom('en', 'de', 'fr', null), async (before, claimed, language) => {
      const source = { ...SOURCES.en, language, text: `${before}\n\nThe tower is 96 metres high.` };
      const verifier = new ClaimVerifier([source], false, new CooperativeYield());

      const { proven } = await verifier.verify([
        {
          text: claimed,
          quotes: [
            { source: 'en', quote: claimed },
            { source: 'en', quote: 'The tower is 96 metres high.' },
          ],
        },
      ]);

      for (const { quotes } of proven) {
        for (const { quote, start, end } of quotes) expect(source.text.slice(start, end)).toBe(quote);
      }
    }),
  );
});

const SOURCES = {
  en: source(
    'en',
    'The tower is 96 metres high. It is not true that the tower was built by giants. Does the tower lean to the north?\n\n' +
      'The gate was closed in May 1931.',
  ),
  de: source('de', 'Der Turm ist 96 Meter hoch.'),
  fr: source('fr', 'La tour mesure 96 mètres. Elle est belle.'),
};

function source(language: string, text: string): SnapshotSource {
  return { id: language, url: `https://${language}.example/`, title: null, text, language };
}

function verify(text: string, quotes: readonly (readonly [source: string, quote: string])[], strict = false) {
  const verifier = new ClaimVerifier(Object.values(SOURCES), strict, new CooperativeYield());
  return verifier.verify([{ text, quotes: quotes.map(([source, quote]) => ({ source, quote })) }]);
}
