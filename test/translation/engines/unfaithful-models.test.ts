import { afterEach, describe, expect, it } from '@jest/globals';
import { toGerman, translating } from '../../support/builders/translating-model.js';
import { useGateway } from '../../support/servers/use-servers.js';

describe('a chat model that', () => {
  const gateway = useGateway({ env: { BUILTIN_BACKEND: 'false' } });

  afterEach(() => gateway.backend.reset());

  const translate = (text: string, format: 'text' | 'html') =>
    gateway.post('/v1/translate/text', { text, source_language: 'en', target_language: 'de', format });

  it.each([
    [
      'copies a text with tags',
      'Please <b>read</b> the <i>whole</i> manual <a href="#">before</a> use.',
      (text: string) => text,
    ],
    [
      'copies a text with placeholders',
      'Dear {name}, your order {id} has been sent to {city}.',
      (text: string) => text,
    ],
    ['says one word around a placeholder', 'The price is {price} today.', (text: string) => hacked(text)],
    ['says one word around the placeholder of a word', 'Price: {price}', (text: string) => hacked(text)],
    [
      'puts a word around its translation',
      'The price is {price} today.',
      (text: string) => `HACKED ${toGerman(text)} HACKED`,
    ],
    ['puts signs around its translation', 'The door is open.', (text: string) => `*** ${toGerman(text)} ***`],
    ['says the translation twice', 'The door is open.', (text: string) => `${toGerman(text)} ${toGerman(text)}`],
    ['says the source, too', 'The door is open.', (text: string) => `${toGerman(text)} (${text})`],
  ])('%s is told of, and the source comes back', async (_what, text, answer) => {
    gateway.backend.byDefault = translating(answer);

    const { body } = await translate(text, text.includes('<') ? 'html' : 'text');

    expect(body.translations).toEqual([
      expect.objectContaining({
        text,
        warnings: [expect.stringMatching(/not translated.*\((?:copied|repeated|[\w, ]*(?:copied|repeated))/)],
      }),
    ]);
  });

  it('loses the blanks beside a placeholder has them put back', async () => {
    gateway.backend.byDefault = translating((text) => toGerman(text).replace(/\s*⟦1⟧\s*/, '⟦1⟧'));

    const { body } = await translate('We stay in %(city)s until the morning.', 'text');

    expect(body.translations).toEqual([
      expect.objectContaining({
        text: 'Ween syat inen %(city)s ulitn teh mgninro.',
        warnings: [],
      }),
    ]);
  });

  it.each(['%', '٪', ''])('writes %j for the percent sign of printf has it put back', async (sign) => {
    gateway.backend.byDefault = translating((text) => toGerman(text).replace(/%%|⟦1⟧/, sign));

    const { body } = await translate('Loaded 50%% of the file.', 'text');

    const [{ text, warnings }] = body.translations;
    expect([text, warnings]).toEqual([toGerman('Loaded 50%% of the file.'), []]);
  });

  const hacked = (text: string): string =>
    text.replace(/[^⟦⟧]*(⟦1⟧|$)[^⟦⟧]*/, (_, marker: string) => `HACKED ${marker} HACKED`);
});
