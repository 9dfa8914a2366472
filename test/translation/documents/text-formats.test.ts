import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { json } from '../../../src/translation/documents/formats/json.js';
import { plainTextFormat } from '../../../src/translation/documents/formats/plain-text.js';
import { srt, vtt } from '../../../src/translation/documents/formats/subtitles.js';
import { markdown } from '../../../src/translation/documents/markdown/markdown.js';
import { po } from '../../../src/translation/documents/po/po.js';
import { capitals, identity, reversed, rewrite, shown, unitsOf } from '../../support/builders/documents/rewritten.js';
import type { Translate } from '../../support/builders/documents/rewritten.js';
import { onGettext } from '../../support/servers/services.js';

test('JSON keeps its keys, numbers, white space and escapes', async () => {
  expect(await text(json, JSON_TEXT, capitals)).toBe(
    JSON_TEXT.replace('Hello <b>x</b>\\nthere', 'HELLO <B>X</B>\\nTHERE')
      .replace('caf\\u00e9', 'CAF\\u00c9')
      .replace('q', 'Q'),
  );
});

test('JSON that is none is said to be damaged', async () => {
  await expect(text(json, '{"a": "b"', identity)).rejects.toMatchObject({ reason: 'malformed' });
});

test('a paragraph of full lines is one text, and is broken again where it was as wide', async () => {
  const { units, bytes } = await rewrite(plainTextFormat, Buffer.from(PLAIN), capitals);

  expect(units.map(shown)).toEqual([
    'Title line',
    'This is a paragraph that was wrapped by hand at some width so that its lines are all about as long as they can be.',
    'one item',
    'two items',
  ]);
  expect(bytes.toString()).toBe(PLAIN.toUpperCase());
});

test('a text in a charset with a byte a character keeps it where it can, and is UTF-8 where it cannot', async () => {
  const file = Buffer.from('Gr\u00fc\u00dfe\n', 'latin1');

  expect((await rewrite(plainTextFormat, file, identity)).bytes).toEqual(file);
  expect((await rewrite(plainTextFormat, file, says('\u00e9'))).bytes).toEqual(Buffer.from([0xe9, 10]));
  expect((await rewrite(plainTextFormat, file, says('\u0416'))).bytes.toString()).toBe('\ufeff\u0416\n');
});

test('subtitles keep their times and tags, and a long cue has two lines', async () => {
  const long = 'This is a sentence that does not fit in one line.';

  expect((await unitsOf(srt, Buffer.from(SRT))).map(shown)).toEqual([
    'Hello there, my dear old friend of mine',
    'Who?',
    'Me <1>again</1>.',
    'Up & away',
  ]);
  expect(await text(srt, SRT.split('\n\n')[0] ?? '', says('a 00:01 --> 00:02 b'))).toContain('a 00:01 -- > 00:02 b');
  expect(await text(srt, SRT.split('\n\n')[0] ?? '', says(long))).toBe(
    '1\n00:00:01,000 --> 00:00:02,000\n<i>This is a sentence that\ndoes not fit in one line.</i>',
  );
  expect(await text(vtt, VTT, capitals)).toBe(
    VTT.replace('Tom &amp; me see the ', 'TOM &amp; ME SEE THE ')
      .replace('very', 'VERY')
      .replace(' big city', ' BIG CITY'),
  );
});

test('a translation cannot end a cue or begin markup in it', async () => {
  const cue = 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n';

  expect(await text(vtt, cue, says('a\n\n00:03.000 --> 00:04.000 <b>'))).toBe(
    cue.replace('Hello', 'a 00:03.000 --&gt; 00:04.000 &lt;b&gt;'),
  );
});

test('a cue ends before the number and the times of the next one, also without a blank line', async () => {
  const file = '1\n00:01 --> 00:02\nHello there\n2\n00:02 --> 00:03\nGood bye\n00:03 --> 00:04\nAgain 5\n';

  expect((await unitsOf(srt, Buffer.from(file))).map(shown)).toEqual(['Hello there', 'Good bye', 'Again 5']);
  expect(await text(srt, file, capitals)).toBe(
    file.replace('Hello there', 'HELLO THERE').replace('Good bye', 'GOOD BYE').replace('Again', 'AGAIN'),
  );
});

test('many cues without blank lines are read in time in proportion to them', async () => {
  const cues = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n00:01 --> 00:02\nHello ${index}\n`).join('');

  const units = await unitsOf(srt, Buffer.from(cues));

  expect(units.reduce((sum, unit) => sum + shown(unit).length, 0)).toBeLessThan(cues.length);
});

test('references of WebVTT are read, and those of characters that need none are not written', async () => {
  const cue = 'WEBVTT\n\n00:01.000 --> 00:02.000\n&lrm;It&#39;s &quot;so&quot; &amp; &lt;so&gt; &copy;&hellip;\n';

  expect(await text(vtt, cue, (unit) => [...unit, { kind: 'text', text: '!' }])).toContain(
    '\u200eIt\'s "so" &amp; &lt;so&gt; ©…!',
  );
});

test('a table right behind a line of text stays one', async () => {
  const file = 'See the table:\n| one | two |\n|---|---|\n| three | four |\n';

  expect(await text(markdown, file, capitals)).toBe(file.toUpperCase());
});

test('tags of HTML in Markdown stay around their text, and times of a cue in their order', async () => {
  const swapped: Translate = (unit) =>
    unit.map((part) => (part.kind === 'single' ? { ...part, mark: part.mark === 1 ? 2 : 1 } : part));

  expect((await unitsOf(markdown, Buffer.from('Press <kbd>the key</kbd> now\n'))).map(shown)).toEqual([
    'Press <1>the key</1> now',
  ]);
  const cue = 'WEBVTT\n\n00:01.000 --> 00:04.000\nOne <00:02.000>two <00:03.000>three\n';
  expect(await text(vtt, cue, swapped)).toBe(cue);
});

test('what a JSON file escapes within HTML stays escaped, and TOML front matter stays', async () => {
  const file = '{"a": "\\u003cb\\u003ebold<\\/b>"}';

  expect(await text(json, file, capitals)).toBe('{"a": "\\u003cB\\u003eBOLD\\u003c\\/B\\u003e"}');
  const front = '+++\ntitle = "Mine"\n+++\n\nhello\n';
  expect(await text(markdown, front, capitals)).toBe(front.replace('hello', 'HELLO'));
});

test('a table in a quote stays one, and so does a link in a cell', async () => {
  const file = '> | one | [the book][r] |\n> |---|---|\n> | three | [r] |\n\n[r]: https://a.example/\n';

  expect(await text(markdown, file, capitals)).toBe(
    '> | ONE | [THE BOOK][r] |\n> |---|---|\n> | THREE | [R][r] |\n\n[r]: https://a.example/\n',
  );
});

test('a file of UTF-8 with a damaged byte is said to be damaged', async () => {
  const file = Buffer.concat([Buffer.from('Grüße aus Köln\n\nViele Grüße '), Buffer.from([0xff])]);

  await expect(rewrite(plainTextFormat, file, capitals)).rejects.toMatchObject({ reason: 'malformed' });
});

test('Markdown keeps code, addresses, HTML, tables and front matter', async () => {
  const { units, bytes, warnings } = await rewrite(markdown, Buffer.from(MARKDOWN), capitals);

  expect(warnings).toBe(0);
  expect(units.map(shown)).toEqual([
    'Hello <1>big</1> world',
    'A <1>link</1> and <2/> here,<3/>with <4>bold</4> text and <5>alt text</5> <6/> <7/> snake_case 2*3.',
    'quoted text<1/>more <2>ref</2> and <3>full</3>',
    'task one',
    'item',
    'A head',
    'B',
    'cell <1>one</1>',
  ]);
  const written = bytes.toString();
  expect(written).toContain(
    'A [LINK](http://x.y "t") AND `code` HERE,  \nWITH **BOLD** TEXT AND ![ALT TEXT](p.png) [^1] <br> SNAKE_CASE 2\\*3.',
  );
  expect(written).toContain('> QUOTED TEXT  \n> MORE [REF][ref] AND [FULL][ref]\n\n- [ ] TASK ONE');
  expect(written).toContain('| A HEAD | B |\n|---|---|\n| CELL *ONE* | `x` |'.replace('*one*', '*ONE*'));
  expect(written).toContain('```\ncode\n```\n\n    indented\n\n<div>html</div>\n\n[ref]: http://z\n');
  expect(written).toMatch(/^---\ntitle: x\n---\n/);
});

test('marks of Markdown move with their words', async () => {
  expect(await text(markdown, '# Hello *big* world\n', reversed)).toBe('#  world*big*Hello \n');
  expect(await text(markdown, '> one **two** three\n', reversed)).toBe('>  three**two**one \n');
});

test.each([
  ['- no list', '\\- no list'],
  ['1. no list', '1\\. no list'],
  ['# no heading', '\\# no heading'],
  ['> no quote', '\\> no quote'],
  ['a * b `c` <d> [e](f)', 'a \\* b \\`c\\` \\<d> \\[e\\](f)'],
])('a translation adds no markup to Markdown: %s', async (words, written) => {
  expect(await text(markdown, 'Hello\n', says(words))).toBe(`${written}\n`);
});

test.each([
  ['This is ~~old~~ new.', 'This is <1>old</1> new.', 'THIS IS ~~OLD~~ NEW.'],
  ['~One~ and ~~two *three* four~~', '<1>One</1> and <2>two <3>three</3> four</2>', '~ONE~ AND ~~TWO *THREE* FOUR~~'],
  ['*a ~~b~~* c', '<1>a <2>b</2></1> c', '*A ~~B~~* C'],
  ['| x |\n|---|\n| ~~old~~ new |', 'x / <1>old</1> new', '| X |\n|---|\n| ~~OLD~~ NEW |'],
  ['about ~5 or ~6 men', 'about ~5 or ~6 men', 'ABOUT ~5 OR ~6 MEN'],
  ['a \\~~b', 'a ~~b', 'A \\~\\~B'],
  ['See it.[^1]\n\n[^1]: The first note.\n', 'See it. / The first note.', 'SEE IT.[^1]\n\n[^1]: THE FIRST NOTE.\n'],
  [
    '[^1]: A [book] and more.\n[^two]: The other note.\n\n[book]: http://x',
    'A <1>book</1> and more. / The other note.',
    '[^1]: A [BOOK][book] AND MORE.\n[^two]: THE OTHER NOTE.\n\n[book]: http://x',
  ],
])('struck texts and footnotes of Markdown stay what they are: %j', async (file, units, written) => {
  expect((await unitsOf(markdown, Buffer.from(file))).map(shown).join(' / ')).toBe(units);
  expect(await text(markdown, file, capitals)).toBe(written);
});

test('a catalog is filled from its messages; flags stay, and what is not proven is fuzzy', async () => {
  const proven = await text(po, PO, capitals);
  const unproven = (
    await rewrite(po, Buffer.from(PO), identity, { targetLanguage: 'ru', trusts: () => false })
  ).bytes.toString();

  expect(proven).toBe(
    PO.replace('Language: en\\n', 'Language: de\\n')
      .replace('charset=UTF-8\\n"\n', 'charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n')
      .replace('msgstr[0] ""\nmsgstr[1] ""', 'msgstr[0] "%D FILE"\nmsgstr[1] "%D FILES"')
      .replace('#, fuzzy\n', '')
      .replace('msgstr "alt"\n\n', 'msgstr ""\n"ONE\\n"\n"TWO"\n\n'),
  );
  expect(unproven).toContain(
    '#, fuzzy, c-format\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] "%d file"\nmsgstr[1] "%d files"\nmsgstr[2] "%d files"\n',
  );
  expect(unproven).toContain('"Plural-Forms: nplurals=3;');
});

test('what is translated in a catalog of the target language already stays', async () => {
  const catalog = 'msgid ""\nmsgstr "Language: de\\n"\n\nmsgid "yes"\nmsgstr "ja"\n\nmsgid "no"\nmsgstr ""\n';

  const { bytes, units } = await rewrite(po, Buffer.from(catalog), says('nein'));

  expect(units.map(shown)).toEqual(['no']);
  expect(bytes.toString()).toBe(catalog.replace('"no"\nmsgstr ""', '"no"\nmsgstr "nein"'));
});

onGettext.it.each(['de', 'ru', 'ja', 'ar', 'sl'])('gettext takes the catalog in %s', async (language) => {
  const catalog = await text(po, PO.replace('#, c-format\n', ''), capitals, language);

  expect(() =>
    execFileSync('/usr/bin/msgfmt', ['-c', '-o', '/dev/null', '-'], { input: catalog, stdio: 'pipe' }),
  ).not.toThrow();
});

const PO =
  '# c\nmsgid ""\nmsgstr ""\n"Language: en\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n#. hint\n#: a.c:1\n#, c-format\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] ""\nmsgstr[1] ""\n\n#, fuzzy\nmsgid "one\\n"\n"two"\nmsgstr "alt"\n\n#~ msgid "old"\n#~ msgstr "alt"\n';

const text = async (format: typeof json, source: string, translate: Translate, targetLanguage = 'de') =>
  (await rewrite(format, Buffer.from(source), translate, { targetLanguage })).bytes.toString();

const says =
  (words: string): Translate =>
  () => [{ kind: 'text', text: words }];

const JSON_TEXT =
  '{"a b": "Hello <b>x</b>\\nthere", "n": 1.50, "l": ["caf\\u00e9", "12", {"k":"\\"q\\""}],\r\n  "e": ""}';
const PLAIN =
  'Title line\r\n\r\n  This is a paragraph that was wrapped by hand at some\r\n  width so that its lines are all about as long as they\r\n  can be.\r\n\r\n- one item\r\n- two items\r\n\r\n12:30\r\n';
const SRT =
  '1\n00:00:01,000 --> 00:00:02,000\n<i>Hello there, my dear\nold friend of mine</i>\n\n2\n00:00:03,000 --> 00:00:04,000\n- Who?\n- Me <b>again</b>.\n\n3\n00:00:05,000 --> 00:00:06,000\n{\\an8}Up & away\n';
const VTT =
  'WEBVTT\n\nNOTE a comment here\n\nSTYLE\n::cue { color: red }\n\nintro\n00:01.000 --> 00:02.000 align:left\n<v Ann>Tom &amp; me see the <c.loud>very</c> big city.\n';
const MARKDOWN =
  '---\ntitle: x\n---\n# Hello *big* world\n\nA [link](http://x.y "t") and `code` here,  \nwith **bold** text\nand ![alt text](p.png) [^1] <br> snake_case 2\\*3.\n\n> quoted\n> text  \n> more [ref] and [full][ref]\n\n- [ ] task one\n- item\n\n| A head | B |\n|---|---|\n| cell *one* | `x` |\n\n```\ncode\n```\n\n    indented\n\n<div>html</div>\n\n[ref]: http://z\n';

const FILES = [
  ['JSON', json, JSON_TEXT],
  ['a text', plainTextFormat, PLAIN],
  ['SubRip', srt, SRT],
  ['WebVTT', vtt, VTT],
  ['Markdown', markdown, MARKDOWN],
] as const;

test.each(FILES)('%s that is translated into itself has the same bytes', async (_name, format, source) => {
  const file = Buffer.from(source);

  const { bytes, units } = await rewrite(format, file, identity);

  expect(bytes).toEqual(file);
  expect(await unitsOf(format, file)).toEqual(units);
});
