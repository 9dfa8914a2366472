import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { SanitizedGateway } from '../../support/servers/sanitized-gateway.js';
import { toGerman, translating } from '../../support/builders/translating-model.js';

const WORDS = { kind: 'words', words: ['Falcon', 'Secret'], applies_to: 'input' } as const;
const LANGUAGES = { source_language: 'en', target_language: 'de' } as const;
const LATIN = 'The project Falcon begins in May.';

describe('the sanitizer, where texts are translated', () => {
  let sanitized: SanitizedGateway;

  beforeAll(async () => {
    sanitized = await SanitizedGateway.start({ env: { BUILTIN_BACKEND: 'false' } });
  });
  afterAll(() => sanitized.close());

  const translate = (members: object) => sanitized.gateway.post('/v1/translate/text', { ...LANGUAGES, ...members });

  it.each<[field: string, body: object]>([
    ['text', { text: LATIN }],
    ['texts[]', { texts: ['The house is red.', LATIN] }],
    ['text of HTML, over its tags', { text: 'The project Fal<b>con</b> begins in May.', format: 'html' }],
    ['text of HTML, over a tag without its partner', { text: 'The project Fal<b>con begins in May.', format: 'html' }],
    ['text of HTML, over crossing tags', { text: '<i>The project Fal<b>con</i> begins</b> in May.', format: 'html' }],
    ['an attribute of HTML', { text: '<img alt="The project Falcon begins in May.">', format: 'html' }],
    ['context', { text: 'The house is red.', context: 'All of it is about Falcon.' }],
    ['glossary[].source', { text: LATIN, glossary: [{ source: 'Falcon', target: 'Falke' }] }],
    ['glossary[].target', { text: 'The house is red.', glossary: [{ source: 'house', target: 'Secret' }] }],
  ])('keeps what it finds from the model in %s', async (_field, body) => {
    await sanitized.use([{ ...WORDS, action: 'mask' }]);
    sanitized.gateway.backend.byDefault = translating(toGerman);

    const { status } = await translate(body);

    expect(status).toBe(200);
    expect(sanitized.gateway.received).toBeGreaterThan(0);
    // A part of it is not sent either.
    expect(sanitized.sent).not.toMatch(/Fal|Secret/);
  });

  it('refuses a text that it blocks with 422, and asks no model', async () => {
    await sanitized.use([{ ...WORDS, action: 'block' }]);

    const { status, body } = await translate({ texts: ['The house is red.', LATIN] });

    expect([status, body.error.code]).toEqual([422, 'content_blocked']);
    expect(sanitized.gateway.received).toBe(0);
  });

  it.each(['＜WORDS_1＞', '< WORDS_1 >', '<*WORDS_1*>', '＜words_1＞'])(
    'puts nobody into a text whose model has written %s there',
    async (written) => {
      await sanitized.use([{ kind: 'words', words: ['Ada Byron'], action: 'pseudonymize', applies_to: 'input' }]);
      sanitized.gateway.backend.byDefault = translating((text) =>
        text.includes('house') ? `Das rote Haus hat ${written} Tür.` : toGerman(text),
      );

      const { body } = await translate({ texts: ['The call of Ada Byron was late.', 'The red house has 1 door.'] });

      expect(body.translations[0].text).toContain('Ada Byron');
      expect(body.translations[1].text).not.toContain('Ada Byron');
    },
  );

  it.each([
    [
      'a mark',
      'When then the <img src="x.png"> red house has 1 door.',
      'Wenn dann das <⟦1⟧WORDS_1> rote Haus eine Tür hat.',
    ],
    ['a pair', 'When then the <b>red</b> house has 1 door.', 'Wenn dann das <⟦1⟧WORDS_1> rote⟦/1⟧ Haus eine Tür hat.'],
    [
      'a comment',
      'When then the <!-- x --> red house has 1 door.',
      'Wenn dann das <⟦1⟧WORDS_1> rote Haus eine Tür hat.',
    ],
  ])('puts nobody into a text whose model has written a pseudonym over %s', async (_what, text, written) => {
    await sanitized.use([{ kind: 'words', words: ['Ada Byron'], action: 'pseudonymize', applies_to: 'input' }]);
    sanitized.gateway.backend.byDefault = translating((read) => (read.includes('When') ? written : toGerman(read)));

    const { status, body } = await translate({ texts: ['The call of Ada Byron was late.', text], format: 'html' });

    expect(status).toBe(200);
    expect(body.translations[0].text).toContain('Ada Byron');
    expect(body.translations[1]).toMatchObject({ text: expect.stringMatching(/WORDS_1&gt; /), warnings: [] });
  });

  it('puts back what the glossary has', async () => {
    await sanitized.use([{ kind: 'words', words: ['Ada Byron'], action: 'pseudonymize', applies_to: 'input' }]);
    sanitized.gateway.backend.byDefault = translating(toGerman);

    const { body } = await translate({
      text: 'The house is red.',
      glossary: [{ source: 'house', target: 'Ada Byron' }],
    });

    expect(sanitized.sent).not.toContain('Byron');
    expect(body.translations[0].text).toContain('Ada Byron');
  });

  it('keeps to a term that holds a hidden one', async () => {
    await sanitized.use([{ kind: 'words', words: ['Ada Byron'], action: 'pseudonymize', applies_to: 'input' }]);
    sanitized.gateway.backend.byDefault = translating((text) => toGerman(text).replace('rde hesuo', 'Rotheim'));

    const glossary = [
      { source: 'red house', target: 'Rotheim' },
      { source: 'house', target: 'Ada Byron' },
    ];
    const { body } = await translate({ text: 'We came to the red house.', glossary });

    expect(body.translations[0]).toMatchObject({ text: expect.stringContaining('Rotheim'), warnings: [] });
    expect(body.translations[0].text).not.toContain('Ada');
  });

  it('puts back what had pseudonyms, each where it stood', async () => {
    await sanitized.use([
      { kind: 'words', words: ['Ada Byron', 'Grace Hopper'], action: 'pseudonymize', applies_to: 'input' },
    ]);
    sanitized.gateway.backend.byDefault = translating(toGerman);

    const { body } = await translate({
      texts: ['The call of Ada Byron was for Grace Hopper today.', 'And Ada Byron was not there.'],
    });

    expect(sanitized.sent).not.toMatch(/Byron|Hopper/);
    expect(body.translations.map(({ text }: AnyJson) => text)).toEqual([
      `${toGerman('The call of')} Ada Byron ${toGerman('was for')} Grace Hopper ${toGerman('today')}.`,
      `${toGerman('And')} Ada Byron ${toGerman('was not there')}.`,
    ]);
    expect(body.translations.flatMap(({ warnings }: AnyJson) => warnings)).toEqual([]);
  });

  it.each([
    ['a line break', '<br>'],
    ['a picture', '<img src="a.png">'],
    ['code', ' <code>x</code> '],
  ])('finds what stands apart by %s', async (_what, mark) => {
    await sanitized.use([{ kind: 'credit_card', action: 'mask', applies_to: 'input' }]);
    sanitized.gateway.backend.byDefault = translating(toGerman);

    const { body } = await translate({ text: `Pay with 4111111111111111${mark}12/2027 or cash.`, format: 'html' });

    expect(sanitized.sent).not.toContain('4111111111111111');
    expect(body.translations[0].text).toContain(`[CREDIT_CARD]${mark}`);
  });

  it('finds what a comment stands in', async () => {
    await sanitized.use([{ kind: 'email', action: 'mask', applies_to: 'input' }]);
    sanitized.gateway.backend.byDefault = translating(toGerman);

    await translate({ text: 'Ask ada@exam<!-- it -->ple.com for the key.', format: 'html' });

    expect(sanitized.sent).not.toContain('ple.com');
  });

  it('leaves what stands between two finds where it was', async () => {
    await sanitized.use([{ kind: 'email', action: 'pseudonymize', applies_to: 'input' }]);
    sanitized.gateway.backend.byDefault = translating(toGerman);
    const [before, after] = [
      '<a href="/a">ada@x.example</a> today and never to ',
      '<a href="/b">bob@y.example</a> again.',
    ];

    const { body } = await translate({ text: `Write to ${before}${after}`, format: 'html' });

    expect(body.translations).toEqual([
      expect.objectContaining({
        text: `${toGerman('Write to')} <a href="/a">ada@x.example</a> ${toGerman('today and never to')} <a href="/b">bob@y.example</a> ${toGerman('again')}.`,
        warnings: [],
      }),
    ]);
  });

  it('leaves what is found in an answer in its own tags', async () => {
    await sanitized.use([{ kind: 'words', words: ['Rot', 'Blau'], action: 'mask', applies_to: 'output' }]);
    sanitized.gateway.backend.byDefault = translating(() => 'Es ist ⟦1⟧Rot⟦/1⟧ und nicht sehr ⟦2⟧Blau⟦/2⟧ hier.');

    const { body } = await translate({ text: 'It is <b>red</b> and not very <i>blue</i> here.', format: 'html' });

    expect(body.translations[0].text).toBe('Es ist <b>[WORDS]</b> und nicht sehr <i>[WORDS]</i> hier.');
  });

  it('tells nothing of what a server says that repeats what it was sent', async () => {
    await sanitized.use([{ kind: 'email', action: 'pseudonymize', applies_to: 'input' }]);
    sanitized.gateway.backend.byDefault = ({ body }) => ({
      status: 400,
      pieces: [JSON.stringify({ error: { message: `I do not like: ${body.messages.at(-1).content}` } })],
    });

    const { status, body } = await translate({ text: 'Ask ada@example.com for the key.' });

    expect([status, body.error.message]).toEqual([400, 'The model server refused to translate (bad_request).']);
  });

  it('reads the answer too, over the tags that stand in it', async () => {
    await sanitized.use([{ kind: 'words', words: ['Geheimnis'], action: 'mask', applies_to: 'output' }]);
    sanitized.gateway.backend.byDefault = translating((text) =>
      toGerman(text).replace(/(\p{L}+) ⟦1⟧(\p{L}+)⟦\/1⟧/u, 'Geheim⟦1⟧nis⟦/1⟧'),
    );

    const { body } = await translate({ text: 'Here is only <b>one</b> more word to see.', format: 'html' });

    const [{ text, warnings }] = body.translations;
    expect(warnings).toEqual([]);
    expect(text.replaceAll(/<[^>]+>/g, '')).not.toContain('Geheimnis');
    expect(text).toMatch(/<b>.*<\/b>/);
  });
});
