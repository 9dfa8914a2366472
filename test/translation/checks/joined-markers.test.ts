import { expect, it } from '@jest/globals';
import { checkTranslation } from '../../../src/translation/checks/check-translation.js';
import { bracketNotation } from '../../../src/translation/protection/notations/bracket-notation.js';
import { protect } from '../../../src/translation/protection/protect.js';

it.each([
  ['goes on with a host', 'See https://bank.example now.', 'Vea ⟦1⟧.evil.com ahora.'],
  ['goes on with a name', 'See www.bank.com now.', 'Vea ⟦1⟧.evil ahora.'],
  ['goes on with a path', 'See bank.com now.', 'Vea ⟦1⟧/evil ahora.'],
  ['goes on with a word', 'See bank.com now.', 'Vea ⟦1⟧evil ahora.'],
  ['has another host before it', 'See bank.com now.', 'Vea evil.⟦1⟧ ahora.'],
  ['has another name before it', 'Ask help@bank.com now.', 'Pregunte a evil⟦1⟧ ahora.'],
  ['goes on behind an invisible sign', 'See bank.com now.', 'Vea ⟦1⟧\u00ad.evil.com ahora.'],
  ['goes on behind a comma', 'See bank.com now.', 'Vea ⟦1⟧,.evil.com ahora.'],
  ['goes on with another one', 'Go from https://bank.com to @evil now.', 'Vaya ahora a ⟦1⟧⟦2⟧ desde.'],
  ['is negative', 'It weighs 5 kg today.', 'Hoy pesa -⟦1⟧ justos.'],
  ['is a literal', 'There are %d dogs here.', 'Hay %⟦1⟧ perros aquí.'],
  ['is in braces', 'Dear {name}, welcome here.', 'Estimado {⟦1⟧}, bienvenido.'],
  ['is in apostrophes', 'Dear {name}, welcome here.', "Estimado '⟦1⟧', bienvenido."],
  ['is behind an apostrophe', 'Dear {name}, welcome here.', "Estimado '⟦1⟧ de aquí, bienvenido'."],
  ['is another variable', 'The house of $name is red.', '⟦1⟧s Haus ist rot.'],
  ['is a member of a variable', 'The house of $name is red.', 'La casa de ⟦1⟧->x es roja.'],
  ['is another user', 'Ask @ada about the house.', 'Pregunte a ⟦1⟧1 por la casa.'],
  ['is an area', 'The wall has 5 m of stone.', 'El muro tiene ⟦1⟧² de piedra.'],
  ['is a density', 'It weighs 5 kg today.', 'Hoy pesa ⟦1⟧/m² justos.'],
  ['has a word before it', 'The wall has 5 m of stone.', 'El muro tiene diezmil⟦1⟧ de piedra.'],
  ['has a letter before its address', 'Ask bob@bank.com now.', 'Pregunte a ü⟦1⟧ ahora.'],
  ['goes on behind an exclamation mark', 'See https://bank.example now.', 'Vea ⟦1⟧!evil.top ahora.'],
  ['is of a template', 'Dear {name}, welcome here.', 'Estimado $⟦1⟧, bienvenido.'],
])('what stands for a marker may not become something else: %s', (_what, source, answer) => {
  expect(check(source, answer)).toContain('markup_added');
});

it.each([
  ['ends a sentence', 'See https://bank.example now.', 'es', 'Ahora vea ⟦1⟧.'],
  ['has a suffix', 'See bank.com now.', 'hu', 'Nézze meg most a ⟦1⟧-on.'],
  ['has a suffix behind an apostrophe', 'Hello {name}, welcome.', 'tr', "⟦1⟧'e hoş geldiniz."],
  ['stands between Chinese words', 'See https://bank.example now.', 'zh', '现在请看⟦1⟧。'],
  ['has apostrophes in the source', "The file '{name}' is gone.", 'es', "El archivo '⟦1⟧' no está."],
  ['has an apostrophe before it', 'The house of {name} is red.', 'fr', "La maison d'⟦1⟧ est rouge."],
  ['is a name between Chinese words', 'The house of $name is red.', 'zh', '⟦1⟧的房子是红色的。'],
  ['is a number between Chinese words', 'The wall has 5 m of stone.', 'zh', '这堵墙有⟦1⟧的石头。'],
  ['has a full stop behind a name', 'The house is of $name.', 'es', 'La casa es de ⟦1⟧. Es roja.'],
  ['is money of a country', 'It costs $5 today.', 'es', 'Hoy cuesta US⟦1⟧ justos.'],
  ['is a rate', 'It takes 5 kg a day.', 'es', 'Necesita ⟦1⟧/día justos.'],
  ['is a range', 'From 3 to 5 kg a day.', 'es', 'De 3–⟦1⟧ al día.'],
  ['is joined in the source', 'It costs $%d today.', 'es', 'Hoy cuesta $⟦1⟧ justos.'],
])('what stands for a marker may have neighbours: %s', (_what, source, target, answer) => {
  expect(check(source, answer, target)).toEqual([]);
});

it.each(['\0', '\b', '\r', '\u2028', '\u{e0041}', '\ufeff'])(
  'finds a control that an engine has put in: %j',
  (sign) => {
    expect(check('The weather is nice.', `El tiempo ${sign}es bueno.`)).toContain('markup_added');
  },
);

it.each([
  ['$5 million', 'It costs $5 million in all.', 'Cuesta ⟦1⟧ mil millones en total.', ['numbers_changed']],
  ['$5 million', 'It costs $5 million in all.', 'Cuesta ⟦1⟧ millones en total.', []],
  ['$5', 'It costs $5 in all.', 'Cuesta ⟦1⟧ millones en total.', ['numbers_changed']],
  ['€1,000.5', 'It costs €1,000.5 and 3 kg of wood.', 'Cuesta ⟦1⟧ y ⟦2⟧ de madera.', []],
  ['3 kg', 'It costs 12 and 3 kg of wood.', 'Cuesta 12 y ⟦1⟧00 de madera.', ['numbers_changed']],
])('compares what stands behind a number that is a marker: %s', (_number, source, answer, faults) => {
  expect(check(source, answer)).toEqual(faults);
});

it('keeps arguments without numbers in their order, and lets others move', () => {
  expect(check('%s has %d new files.', 'Hay ⟦2⟧ archivos nuevos de ⟦1⟧.')).toEqual(['marker_misplaced']);
  expect(check('%1$s has %2$d new files.', 'Hay ⟦2⟧ archivos nuevos de ⟦1⟧.')).toEqual([]);
  expect(check('%s has %s new files.', 'Hay ⟦2⟧ archivos nuevos de ⟦1⟧.')).toEqual([]);
});

it.each(['{}', '{:?}', '{value:,}', '{0,}', '%.*s', '%*d'])('knows a placeholder: %s', (placeholder) => {
  expect(protect([{ kind: 'text', text: `Read ${placeholder} files` }], { notation: bracketNotation }).text).toBe(
    'Read ⟦1⟧ files',
  );
});

it.each(['.', '\u200b', ' ', '🙂', '<'])('does not go on without letters: %j', (sign) => {
  expect(check('The weather is nice.', `El tiempo ${sign.repeat(500)} es bueno.`)).toEqual(['too_long']);
  expect(check('No entry.......................', 'Prohibido el paso........................')).toEqual([]);
});

function check(text: string, answer: string, targetLanguage = 'es'): string[] {
  const source = protect([{ kind: 'text', text }], { notation: bracketNotation });
  return checkTranslation({ source, answer, sourceLanguage: 'en', targetLanguage }).map(({ code }) => code);
}
