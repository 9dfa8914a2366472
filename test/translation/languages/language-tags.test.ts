import { expect, it } from '@jest/globals';
import { BadRequest } from '../../../src/errors.js';
import { detectSourceLanguage } from '../../../src/translation/languages/detect-source-language.js';
import { isSameLanguage, parseLanguageTag, toLanguageName } from '../../../src/translation/languages/language-tag.js';
import { matchLanguage } from '../../../src/translation/languages/match-language.js';
import { bracketNotation } from '../../../src/translation/protection/notations/bracket-notation.js';
import { protect } from '../../../src/translation/protection/protect.js';

const tagOf = (value: string) => parseLanguageTag(value, 'target_language');

it.each([
  ['PT-br', { tag: 'pt-BR', language: 'pt', script: 'Latn', region: 'BR' }],
  ['zh-tw', { tag: 'zh-TW', language: 'zh', script: 'Hant', region: 'TW' }],
  ['eng', { tag: 'en', language: 'en', script: 'Latn', region: undefined }],
  ['iw', { tag: 'he', language: 'he', script: 'Hebr', region: undefined }],
  ['de-DE-u-co-phonebk', { tag: 'de-DE-u-co-phonebk', language: 'de', script: 'Latn', region: 'DE' }],
  ['und', { tag: 'und', language: 'und', script: undefined, region: undefined }],
])('reads %s in its canonical form', (value, parts) => {
  expect(tagOf(value)).toEqual(parts);
});

it.each(['', 'pt_BR', 'e', '*', 'de--DE', 'de-', 'x'.repeat(80), 'english-language-of-all', 'de DE', 'ру'])(
  'refuses %j as malformed and names the field',
  (value) => {
    expect(() => tagOf(value)).toThrow(BadRequest);
    expect(() => tagOf(value)).toThrow(expect.objectContaining({ details: { param: 'target_language' } }));
  },
);

it.each([
  ['pt-BR', ['en', 'pt'], 'pt'],
  ['pt-BR', ['pt', 'pt_BR'], 'pt_BR'],
  ['pt-BR', ['pt', 'pb'], 'pb'],
  ['pt', ['en', 'pt-BR'], 'pt-BR'],
  ['pt-PT', ['pt-BR'], undefined],
  ['zh-TW', ['zh'], undefined],
  ['zh-TW', ['zh', 'zt'], 'zt'],
  ['zh-CN', ['zt', 'zh'], 'zh'],
  ['zh-Hans', ['zh'], 'zh'],
  ['sr-Latn', ['sr'], undefined],
  ['en', ['spa', 'eng'], 'eng'],
  ['nb', ['no'], 'no'],
  ['de', ['auto', 'malformed_', 'fr'], undefined],
])('finds that %s is served by one of %j: %s', (wanted, served, found) => {
  expect(matchLanguage(tagOf(wanted), served)).toBe(found);
});

it('takes a text for one of the target already where language and script are those', () => {
  const isSame = (source: string, target: string): boolean => isSameLanguage(tagOf(source), tagOf(target));

  expect(isSame('pt', 'pt-BR')).toBe(true);
  expect(isSame('zh', 'zh-Hans')).toBe(true);
  expect(isSame('pt-PT', 'pt-BR')).toBe(false);
  expect(isSame('zh-CN', 'zh-TW')).toBe(false);
  expect(isSame('de', 'en')).toBe(false);
});

it('names languages in English', () => {
  expect(toLanguageName(tagOf('pt-BR'))).toBe('Brazilian Portuguese');
  expect(toLanguageName(tagOf('de-1996'))).toMatch(/^German/);
  expect(toLanguageName(tagOf('qqz'))).toBeUndefined();
});

it.each([
  [
    'de',
    'Hallo {user_name_in_english}, der Vertrag endet am dritten Mai: https://example.com/the/contract/and/its/end',
  ],
  ['es', '{count, plural, one {Tiene un mensaje nuevo} other {Tiene # mensajes nuevos en la bandeja}}'],
  [undefined, 'https://example.com/this/is/english and'],
  [undefined, 'Hello {name}'],
  [undefined, '<EMAIL_1> 5 kg %s'],
])('detects %s in what is left of a text after protection', async (language, text) => {
  const unit = protect([{ kind: 'text', text }], { notation: bracketNotation });

  expect(await detectSourceLanguage([unit])).toBe(language);
});

it.each([
  ['ru', 'Сохранить все изменения'],
  [undefined, 'фывапролдж йцукенгшщз'],
  [undefined, 'hahahahahahahahaha'],
  [undefined, '¯\\_(ツ)_/¯'],
  [undefined, 'ㅋㅋㅋㅋㅋㅋ'],
  [undefined, 'SELECT * FROM parts WHERE number = 1'],
  ['en', 'The sum of all parts is written as total = price by most of our authors.'],
  ['ja', 'はい'],
  ['zh', '是'],
])('detects %s of %s, since what somebody has hit or drawn is in no language', async (language, text) => {
  const unit = protect([{ kind: 'text', text }], { notation: bracketNotation });

  expect(await detectSourceLanguage([unit])).toBe(language);
});
