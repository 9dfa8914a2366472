import { expect, it } from '@jest/globals';
import { checkTranslation } from '../../../src/translation/checks/check-translation.js';
import { bracketNotation } from '../../../src/translation/protection/notations/bracket-notation.js';
import { protect } from '../../../src/translation/protection/protect.js';

it.each([
  ['The house of $name is red and old.', '⟦1⟧s Haus ist rot und alt.'],
  ['The house of :name is red and old.', '⟦1⟧s Haus ist rot und alt.'],
  ['The house of @name is red and old.', '⟦1⟧s Haus ist rot und alt.'],
  ['It has %d red houses.', 'Es hat ⟦1⟧x rote Häuser.'],
  ['The house of %s is red.', '⟦1⟧s Haus ist rot.'],
  ['The house of %s is red.', '⟦1⟧[0] Haus ist rot.'],
  ['It has %1 red houses.', 'Es hat ⟦1⟧5 rote Häuser.'],
  ['It has $name red houses.', 'Es hat ⟦1⟧5 rote Häuser.'],
  ['It has $name red houses.', 'Es hat ⟦1⟧[0] rote Häuser.'],
  ['It has $name red houses.', 'Es hat ⟦1⟧->x rote Häuser.'],
  ['It has $name red houses.', 'Es hat ⟦1⟧_x rote Häuser.'],
  ['It has $name red houses.', 'Es hat ⟦1⟧ß rote Häuser.'],
  ['It has :name red houses.', 'Es hat :⟦1⟧ rote Häuser.'],
  ['It has :name red houses.', 'Es hat x⟦1⟧ rote Häuser.'],
  ['It has @name red houses.', 'Es hat bob⟦1⟧ rote Häuser.'],
  ['The house of {name} is old.', "Das '⟦1⟧ Haus' ist alt."],
  ['The house of {name} is old.', "Das Haus '⟦1⟧ ist alt."],
  ['The house of {name} is old.', "'⟦1⟧ ist alt."],
])('what stands beside a placeholder makes no other of it: %s %s', (source, answer) => {
  expect(check(source, answer)).toContain('markup_added');
});

it.each([
  ['The house of {name} is red.', '⟦1⟧s Haus ist rot.'],
  ['The house of ${name} is red.', '⟦1⟧s Haus ist rot.'],
  ['The house of %(name)s is red.', '⟦1⟧s Haus ist rot.'],
  ['The house of :name: is red.', '⟦1⟧s Haus ist rot.'],
  ['It is the %dth house here.', 'Das ist das ⟦1⟧te Haus hier.'],
  ['The picture is %d by %d in size.', 'Das Bild ist ⟦1⟧×⟦2⟧ groß.'],
  ['The file has %d KB in all.', 'Die Datei hat ⟦1⟧kB in allem.'],
])('a placeholder with an end, or with words beside it in the source, may have them: %s %s', (source, answer) => {
  expect(check(source, answer)).toEqual([]);
});

it.each([
  '。evil.top',
  '．evil.top',
  '｡evil.top',
  '。top',
  '。Evil.Top',
  '!evil.top',
  "'evil.top",
  '’evil.top',
  "'evil/x",
  '*evil',
  '+evil.top',
  '(evil).top',
  '[evil.top',
  '(@evil.top',
])('an address does not go on with %s', (behind) => {
  expect(check('See https://bank.example now.', `Siehe ⟦1⟧${behind} jetzt.`)).toContain('markup_added');
  expect(check('See bank.com now.', `Siehe ⟦1⟧${behind} jetzt.`)).toContain('markup_added');
});

it.each(['ü', 'я', 'ع', '٣', 'अ', 'x', '7'])('a letter before an address of mail makes another of it: %s', (letter) => {
  expect(check('Ask bob@a.example now.', `Frage ${letter}⟦1⟧ jetzt.`)).toContain('markup_added');
});

it.each([
  ['zh', 'See https://bank.example now. Then go.', '现在请看⟦1⟧。然后去吧。'],
  ['zh', 'See https://bank.example now. GitHub is good.', '现在请看⟦1⟧。GitHub 很好。'],
  ['zh', 'Write to bob@a.example now.', '现在请写信给⟦1⟧。'],
  ['tr', 'See bank.com now, please.', "Lütfen şimdi ⟦1⟧'a bakın."],
  ['de', 'See bank.com (for example there).', 'Siehe ⟦1⟧ (z.B. dort).'],
  ['en', 'See the page of bank.com.', "See ⟦1⟧'s own page here."],
])('an address may have what belongs to a language beside it, in %s: %s', (language, source, answer) => {
  expect(check(source, answer, language)).not.toContain('markup_added');
});

it.each([
  '//evil.com/x',
  '[unsere Seite](//evil.top)',
  'ftp:evil.com',
  'HTTPS:evil',
  'https:\\\\evil',
  '\\\\evil.com\\x',
  ...['top', 'zip', 'click', 'me', 'co', 'link', 'cc', 'us', 'ch', 'at', 'it'].map((end) => `evil.${end}`),
  'evil.me.',
  't.co',
  'evil.tech',
  'evil.рф',
  'evil．com',
  'evil。com',
])('an address that an engine has put in is found: %s', (address) => {
  expect(check('The house is red.', `Das Haus ${address} ist rot.`)).toEqual(['markup_added']);
});

it.each(['Das Ende.It ist rot.', 'Das Haus ist z.b. rot.', 'Das Haus: es ist rot.', 'Das Haus (p.es. hier) ist rot.'])(
  'what only looks like an address is none: %s',
  (answer) => {
    expect(check('The house is really red.', answer)).toEqual([]);
  },
);

it.each([
  ['The wall has 5 m of stone.', 'Die Mauer hat ⟦1⟧² Stein.'],
  ['It weighs 5 kg today.', 'Es wiegt heute ⟦1⟧/m² genau.'],
  ['It has 5 % of it today.', 'Es hat heute ⟦1⟧‰ davon.'],
  ['The wall has 5 m of stone.', 'Die Mauer hat zehntausend⟦1⟧ Stein.'],
  ['It costs $5 today.', 'Es kostet heute zehntausend⟦1⟧ ja.'],
  ['It costs $5 today.', 'Es kostet heute 1⟦1⟧ ja.'],
  ['Take 5 mg of it today.', 'Nimm heute .⟦1⟧ davon.'],
  ['Take 5 mg of it today.', 'Nimm heute ,⟦1⟧ davon.'],
  ['Take 5 mg of it today.', 'Nimm heute ²⟦1⟧ davon.'],
  ['Take 5 mg of it today.', 'Nimm heute 〇⟦1⟧ davon.'],
  ['Take 5 mg of it today.', 'Nimm heute ⟦1⟧/kg davon.'],
])('what stands right beside a number makes no other of it: %s %s', (source, answer) => {
  expect(check(source, answer)).toContain('markup_added');
});

it.each([
  ['de', 'It costs $5 today.', 'Es kostet heute ⟦1⟧ hundert ja.'],
  ['de', 'It costs $5 today.', 'Es kostet heute ⟦1⟧ Dutzend ja.'],
  ['de', 'There are {n} million houses here.', 'Hier sind ⟦1⟧ Milliarden Häuser.'],
  ['de', 'There are {n} million houses here.', 'Hier sind ⟦1⟧ Häuser.'],
  ['de', 'There are %d houses here.', 'Hier sind ⟦1⟧ Millionen Häuser.'],
  ['de', 'It costs $5 today.', 'Es kostet heute minus ⟦1⟧ ja.'],
  ['de', 'It costs $5 today.', 'Es kostet heute ⟦1⟧ Tsd. ja.'],
  ['de', 'There are 6 people at the table.', 'Es sitzen 18 am Tisch.'],
  ['de', 'Meet at 10:30 at the old house.', 'Treffen um 22:30 am alten Haus.'],
  ['de', 'It costs minus $5 today.', 'Es kostet heute ⟦1⟧ ja.'],
  ['de', 'It costs minus $5 million today.', 'Es kostet heute ⟦1⟧ Tausend ja.'],
  ['de', 'It fell to minus 5 today.', 'Es fiel heute auf 5 ab.'],
  ['de', 'It fell to 5 today.', 'Es fiel heute auf minus 5 ab.'],
  ['es', 'It fell to minus 5 today.', 'Hoy cayó a 5 puntos.'],
  ['ru', 'It costs 5 million today.', 'Это стоит сегодня 5 миллиардов.'],
  ['ru', 'It costs 5 thousand today.', 'Это стоит сегодня 5 монет.'],
  ['ru', 'It costs $5 today.', 'Это стоит сегодня ⟦1⟧ тысяч.'],
  ['pl', 'It costs 5 million today.', 'To kosztuje dzisiaj 5 miliardów.'],
  ['pl', 'It costs $5 million today.', 'To kosztuje dzisiaj ⟦1⟧ tysięcy.'],
])('a word beside a number makes no other of it, in %s: %s %s', (language, source, answer) => {
  expect(check(source, answer, language)).toEqual(['numbers_changed']);
});

it.each([
  ['%d percent of the houses are old.', '⟦1⟧ % der Häuser sind alt.'],
  ['%(count)s percent of the houses are old.', '⟦1⟧% der Häuser sind alt.'],
  ['%1$s percent of the houses are old.', '⟦1⟧ % der Häuser sind alt.'],
])('a percent sign makes another placeholder beside those of printf: %s %s', (source, answer) => {
  expect(check(source, answer)).toEqual(['markup_added']);
  expect(check(source, answer.replace(/ ?%/, ' Prozent'))).toEqual([]);
});

it.each([
  ['Format {:>10} costs {:.2f} in the house.', 'Im Haus kostet ⟦2⟧ das Format ⟦1⟧.'],
  ['Copy {} to {:x} in the house.', 'Nach ⟦2⟧ im Haus ⟦1⟧ kopieren.'],
  ['Copy %s to %d in the house.', 'Nach ⟦2⟧ im Haus ⟦1⟧ kopieren.'],
])('placeholders without names keep their order: %s %s', (source, answer) => {
  expect(check(source, answer)).toEqual(['marker_misplaced']);
});

it.each([
  ['Copy %v to %q in the house.', 'Nach ⟦2⟧ im Haus ⟦1⟧ kopieren.', ['marker_misplaced']],
  ['It is open in %B of %Y again.', 'Im Jahr ⟦2⟧ ist im ⟦1⟧ wieder geöffnet.', []],
  ['Copied %[1]d of %[2]d files.', 'Von ⟦2⟧ Dateien ⟦1⟧ kopiert.', []],
  ['Copied %[1]d of %[2]d files.', 'Zu 100 % ⟦1⟧ von ⟦2⟧ Dateien kopiert.', ['markup_added', 'numbers_changed']],
  [
    'The house of {user.name()} is red.',
    'Das Haus von {Benutzer.Name()} ist rot.',
    ['marker_missing', 'markup_added', 'structure_changed'],
  ],
  [
    '{#if old}The house is red.{/if}',
    '{#wenn alt}Das Haus ist rot.{/wenn}',
    ['marker_missing', 'markup_added', 'structure_changed', 'repeated'],
  ],
  ['The %[2]s of %d is in the house.', 'Im Haus von ⟦2⟧ ist ⟦1⟧.', ['marker_misplaced']],
  ['The house of %tY is number %d.', 'Nummer ⟦2⟧ ist das Haus von ⟦1⟧.', ['marker_misplaced']],
  ['{#if old}The house is red.{/if}', '⟦2⟧Das Haus ist rot.⟦1⟧', ['marker_misplaced']],
  ['{{#old}}The house is red.{{/old}}', '⟦2⟧Das Haus ist rot.⟦1⟧', ['marker_misplaced']],
  ['{% if old %}The house is red.{% endif %}', '⟦2⟧Das Haus ist rot.⟦1⟧', ['marker_misplaced']],
  ['{% url a %} is in the house {% url b %}.', 'Im Haus ⟦2⟧ ist ⟦1⟧.', []],
  ['The house of {name} is red.', 'Das Haus von ⟦1⟧ ist {rot.', ['structure_changed']],
  ['The house {he/she} had is red.', 'Das Haus, das {er/sie} hatte, ist rot.', []],
  ['The %name of the house is known.', 'Der Name des Hauses ist bekannt.', ['structure_changed']],
  ['The house {of any colour} is red.', 'Das Haus ist rot.', ['structure_changed']],
  ['The house {of any colour} is red.', 'Das Haus {jeder Farbe} ist rot.', []],
  ['The house is a 7%ish rise today.', 'Das Haus ist heute ein Anstieg um 7 Prozent.', []],
])('what may be a placeholder is kept, in its order where it has no number: %s %s', (source, answer, faults) => {
  expect(check(source, answer)).toEqual(faults);
});

it('an answer with far more markers than any translation has is read no further', () => {
  expect(check('The house of {name} is red.', '⟦1⟧'.repeat(120_000))).toEqual(['too_long']);
});

it.each([
  ['de', 'The party starts at 2:30 pm at the river.', 'Die Party beginnt um 14:30 am Fluss.'],
  ['de', 'It costs 5 hundred today.', 'Es kostet heute 500 ja.'],
  ['de', 'It costs 5 bln today.', 'Es kostet heute 5 Milliarden ja.'],
  ['de', 'She has 5 dozen eggs.', 'Sie hat 5 Dutzend Eier.'],
  ['de', 'She has 5 dozen eggs.', 'Sie hat 60 Eier da.'],
  ['ja', 'She has 5 dozen eggs.', '彼女は卵を5ダース持っている。'],
  ['zh', 'She has 5 dozen eggs.', '她有5打鸡蛋在家里。'],
  ['zh', 'Packaged by %s today.', '今天由 ⟦1⟧ 打包。'],
  ['ko', 'Print the first %d bytes today.', '오늘 처음 ⟦1⟧ 만큼 출력합니다.'],
  ['de', 'There are {n} million houses here.', 'Hier sind ⟦1⟧ Millionen Häuser.'],
  ['ja', 'There are {n} million houses here.', 'ここには⟦1⟧百万の家があります。'],
  ['sv', 'There are {n} million houses here.', 'Här finns ⟦1⟧ miljoner hus.'],
  ['ru', 'It costs 5 million today.', 'Это стоит сегодня 5 миллионов.'],
  ['ru', 'There are 5 thousand of them.', 'Их здесь 5 тыс. человек.'],
  ['ru', 'There are 5 millionaires here.', 'Здесь живут 5 миллионеров.'],
  ['pl', 'It costs 5 million today.', 'To kosztuje dzisiaj 5 milionów.'],
  ['pl', 'It costs 5,000 today.', 'To kosztuje dzisiaj 5 tys. czy tyle.'],
  ['pl', 'It took 3 millennia.', 'Zajęło to 3 tysiąclecia.'],
])('a word beside a number may say the same, in %s: %s %s', (language, source, answer) => {
  expect(check(source, answer, language)).toEqual([]);
});

it.each([
  ['de', 'It fell to minus 5 today.', 'Es fiel heute auf −5 ab.'],
  ['de', 'It fell to minus 5 today.', 'Es fiel heute auf minus 5 ab.'],
  ['de', 'It fell to -5 today.', 'Es fiel heute auf minus 5 ab.'],
  ['de', 'It fell to minus $5 today.', 'Es fiel heute auf −⟦1⟧ ab.'],
  ['de', 'It fell to minus $5 today.', 'Es fiel heute auf minus ⟦1⟧ ab.'],
  ['de', 'It fell to minus 5 degrees today.', 'Es fiel heute auf 5 Grad unter null.'],
  ['es', 'It fell to minus 5 degrees today.', 'Hoy bajó a 5 grados bajo cero.'],
  ['fr', 'It fell to minus 5 degrees today.', 'Il a fait moins 5 degrés.'],
  ['ru', 'It fell to minus 5 degrees today.', 'Сегодня было 5 градусов мороза.'],
  ['zh', 'It fell to minus 5 degrees today.', '今天降到零下5度。'],
  ['ja', 'It fell to minus 5 degrees today.', '今日は氷点下5度まで下がった。'],
  ['ar', 'It fell to minus 5 degrees today.', 'انخفضت اليوم إلى 5 درجات تحت الصفر.'],
  ['de', 'We have 10 minus 5 left of them.', 'Wir haben davon noch 10 − 5 übrig.'],
  ['de', 'It is plus or minus 5 today.', 'Es sind heute ±5 ungefähr.'],
  ['es', 'At least 5 people came today.', 'Hoy vinieron al menos 5 personas.'],
])('a minus may come back in another way, in %s: %s %s', (language, source, answer) => {
  expect(check(source, answer, language)).toEqual([]);
});

it.each([
  ['The 1990s were good.', 'Die 1990er waren gut.'],
  ['The 90s and the 20s were good.', 'Die 90er und die 20er waren gut.'],
  ['It took 15s to be done.', 'Es dauerte ⟦1⟧ insgesamt.'],
])('decades are no seconds: %s', (source, answer) => {
  expect(check(source, answer)).toEqual([]);
});

it('a word and a colon at the beginning are no chatter where the source has the same', () => {
  expect(check('Text: the house is red.', 'Text: Das Haus ist rot.')).toEqual([]);
  expect(check('Note: the house is red.', 'Text: Das Haus ist rot.')).toEqual(['chatter']);
  expect(check('The house is red.', 'Text: Das Haus ist rot.')).toEqual(['chatter']);
});

function check(text: string, answer: string, targetLanguage = 'de'): string[] {
  const source = protect([{ kind: 'text', text }], { notation: bracketNotation });
  return checkTranslation({ source, answer, sourceLanguage: 'en', targetLanguage }).map(({ code }) => code);
}
