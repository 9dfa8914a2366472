import { expect, it } from '@jest/globals';
import type { TranslationModel } from '../../../src/inference/domain.js';
import { UnitTranslator } from '../../../src/translation/engines/unit-translator.js';
import { TextMemory } from '../../../src/translation/texts/text-memory.js';
import { TextTranslator } from '../../../src/translation/texts/text-translator.js';
import { textsOf } from '../../support/builders/translating-model.js';

it.each([
  ['goes on with an address', 'Sign in at https://bank.example, and wait for us there.', '.evil.com, y espere allí.'],
  ['makes a literal of a placeholder', 'The user:%s has come to see us.', '% ha venido a vernos.'],
])('what an engine writes between markers is checked with them: it %s', async (_what, text, part) => {
  const last = part.startsWith('.') ? part : ' ha venido a vernos.';
  const first = part.startsWith('%') ? 'El usuario:%' : 'Entre en';
  const translator = translatorBy((asked) => {
    if (asked.includes('⟦')) return 'Perdió todo';
    return asked === asked.trimStart() && /^\p{Lu}/u.test(asked) ? first : last;
  });

  const { text: translated, warnings } = await translate(translator, text);

  expect([translated, warnings.length]).toEqual([text, 1]);
});

it.each([
  ['to another scale', 'miles de millones más'],
  ['by losing its scale', 'más'],
])('a number whose scale stands in the part behind it is not changed %s', async (_how, behind) => {
  const translator = translatorBy((asked) => {
    if (asked.includes('⟦')) return 'Perdió todo';
    return asked.startsWith('million') ? `${behind} que antes.` : 'Los ingresos subieron en';
  });
  const text = 'Revenue rose by $5 million more than before.';

  const { text: translated, warnings } = await translate(translator, text);

  expect([translated, warnings.length]).toEqual([text, 1]);
});

it.each([
  ['Revenue rose by $5 million to a record.', 'Milliarden auf einen Rekord.'],
  ['Revenue rose by $5 million to a record.', 'auf einen Rekord.'],
  ['Revenue fell to minus $5 million, a record.', 'Tausend, ein Rekord.'],
])('neither is it in another language: %s %s', async (text, behind) => {
  const translator = translatorBy((asked) => {
    if (asked.includes('⟦')) return asked.replace(/million/, 'Milliarden');
    return asked.startsWith('million') ? behind : 'Der Umsatz stieg um';
  });

  const { text: translated, warnings } = await translate(translator, text, 'de');

  expect([translated, warnings.length]).toEqual([text, 1]);
});

it('what stands well between markers comes back', async () => {
  const translator = translatorBy((asked) => {
    if (asked.includes('⟦')) return 'Perdió todo';
    return /^\p{Lu}/u.test(asked) ? 'Entre en' : ', y espere allí a que lleguemos.';
  });

  const { text, warnings } = await translate(translator, 'Sign in at https://bank.example, and wait for us there.');

  expect([text, warnings]).toEqual(['Entre en https://bank.example, y espere allí a que lleguemos.', []]);
});

const MODEL: TranslationModel = {
  id: 'scripted',
  engine: 'chat',
  traits: null,
  isHealthy: true,
  maxConcurrency: undefined,
};

/** @param answer what the model answers for a text, with markers or between them */
function translatorBy(answer: (asked: string) => string): TextTranslator {
  const unit = new UnitTranslator({
    check: async () => undefined,
    translationModels: async () => [MODEL],
    transformOf: () => undefined,
    translate: () => Promise.reject(new Error('There is no engine but the chat model.')),
    complete: async (_caller, { request }) => {
      const answers = Object.entries(textsOf({ body: request })).map(([id, asked]) => [id, answer(asked)]);
      const message = { role: 'assistant', content: JSON.stringify(Object.fromEntries(answers)) };
      return { choices: [{ index: 0, message, finish_reason: 'stop' }], usage: {} };
    },
  });
  return new TextTranslator(unit, new TextMemory());
}

async function translate(translator: TextTranslator, text: string, target = 'es') {
  const owner = { tenantId: 'ten_1', tokenId: 'tok_1', userId: 'usr_1' };
  const request = { texts: [text], field: 'text', format: 'text', options: { source: 'en', target } } as const;
  const context = { serverRequestId: 'test', signal: new AbortController().signal };
  const { translations } = await translator.translate(owner, request, context);
  return translations[0] ?? { text: '', warnings: [] };
}
