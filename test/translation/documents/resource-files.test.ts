import { expect, test } from '@jest/globals';
import type { DocumentFormat } from '../../../src/translation/documents/formats/document-format.js';
import { androidStrings } from '../../../src/translation/documents/resources/android-strings.js';
import { appleStrings } from '../../../src/translation/documents/resources/apple-strings.js';
import { arb } from '../../../src/translation/documents/resources/arb.js';
import { properties } from '../../../src/translation/documents/resources/properties.js';
import { xliff } from '../../../src/translation/documents/resources/xliff.js';
import { po } from '../../../src/translation/documents/po/po.js';
import { contextOf } from '../../../src/translation/units/unit-context.js';
import { capitals, identity, reversed, rewrite, shown, unitsOf } from '../../support/builders/documents/rewritten.js';
import type { Translate } from '../../support/builders/documents/rewritten.js';

test('properties keep keys, comments and separators; values go on over lines', async () => {
  const file =
    '# a = comment\n! b: c\nkey.one = Hello \\\n    big world\n\nk\\ 2:two\\tlines\\nhere\r\nempty=\nnumber 12\n';

  expect(await text(properties, file, capitals)).toBe(
    '# a = comment\n! b: c\nkey.one = HELLO BIG WORLD\n\nk\\ 2:TWO\\tLINES\\nHERE\r\nempty=\nnumber 12\n',
  );
});

test('properties of ASCII get escapes, which old and new programs read, and others their characters', async () => {
  expect(await text(properties, 'a=Hello\n', says('Grüße'))).toBe('a=Gr\\u00fc\\u00dfe\n');
  expect(await text(properties, '# für\na=Hello\n', says('Grüße'))).toBe('# für\na=Grüße\n');
  expect((await unitsOf(properties, Buffer.from('a=Gr\\u00fc\\u00dfe\n'))).map(shown)).toEqual(['Grüße']);
});

test('an apostrophe in a message with arguments is written as two, and one in any other text as one', async () => {
  const file = "a=It''s {0}\nb=It's\n";

  expect((await unitsOf(properties, Buffer.from(file))).map(shown)).toEqual(["It's {0}", "It's"]);
  expect(await text(properties, file, says("l'un {0}"))).toBe("a=l''un {0}\nb=l'un {0}\n");
});

test('Apple strings keep keys and comments, and escape what is written', async () => {
  const file = '/* the "title" */\n"a.title" = "Hello \\"you\\"";\n// note\nbare = "one\\ntwo";\n"Own key";\n';

  expect(await text(appleStrings, file, capitals)).toBe(
    '/* the "title" */\n"a.title" = "HELLO \\"YOU\\"";\n// note\nbare = "ONE\\nTWO";\n"Own key" = "OWN KEY";\n',
  );
  await expect(text(appleStrings, '"a" = "b"', capitals)).rejects.toMatchObject({ reason: 'malformed' });
});

test('an ARB keeps keys and what is said about them, which goes along as context', async () => {
  const file = `{\n  "@@locale": "en",\n  "save": "Save",\n  "@save": {"description": "A button", "placeholders": {"x": {"example": "Ann"}}}\n}`;

  expect(await text(arb, file, capitals, 'pt-BR')).toBe(file.replace('"en"', '"pt_BR"').replace('"Save"', '"SAVE"'));
  expect((await unitsOf(arb, Buffer.from(file))).map(contextOf)).toEqual(['A button']);
});

test('Android strings keep what may not be translated, tags, escapes and references', async () => {
  expect((await unitsOf(androidStrings, Buffer.from(ANDROID))).map(shown)).toEqual([
    "It's <1>bold</1> for <2/><3/>here",
    'One file',
    '%d files',
    'Red & blue',
    'A <b>tag</b> kept',
    'Wide  blank',
  ]);
  expect(await text(androidStrings, ANDROID, capitals)).toBe(
    ANDROID.replace("It\\'s <b>bold</b>\n        for ", "IT\\'S <b>BOLD</b> FOR ")
      .replace('\\nhere', '\\nHERE')
      .replace('One file', 'ONE FILE')
      .replace('%d files', '%D FILES')
      .replace('Red &amp; blue', 'RED &amp; BLUE')
      .replace('A <b>tag</b> kept', 'A <B>TAG</B> KEPT')
      .replace('"Wide  blank"', 'WIDE\\u0020 BLANK'),
  );
});

test('marks of a string move with its words, comments as a whole', async () => {
  const file = '<resources><string name="a">One <!-- about it --> two <b>three</b></string></resources>';

  expect(await text(androidStrings, file, reversed)).toContain('<b>three</b> two <!-- about it -->One </string>');
});

test('XLIFF 1.2 gets targets with the codes of their sources', async () => {
  expect((await unitsOf(xliff, Buffer.from(XLIFF_1))).map(shown)).toEqual(['Hello <1/> <2>big</2> world', 'Old & new']);
  expect(await text(xliff, XLIFF_1, capitals)).toBe(
    XLIFF_1.replace('"plaintext"', '"plaintext" target-language="de"')
      .replace(
        'world</source>\n',
        'world</source>\n        <target state="translated">HELLO <ph id="1">%s</ph> <g id="2">BIG</g> WORLD</target>\n',
      )
      .replace('<target state="new">alt</target>', '<target state="translated">OLD &amp; NEW</target>')
      .replace('<source>12</source>', '<source>12</source><target state="translated">12</target>'),
  );
});

test('XLIFF 2 gets targets, and says which are not proven', async () => {
  const { bytes } = await rewrite(xliff, Buffer.from(XLIFF_2), identity, { trusts: () => false });

  expect(bytes.toString()).toBe(
    XLIFF_2.replace('document:2.0"', 'document:2.0" trgLang="de"')
      .replace('<segment id="s1">', '<segment id="s1" state="initial">')
      .replace('</source>\n', '</source>\n        <target>Hello <pc id="1">you</pc></target>\n'),
  );
});

test('what is final in an XLIFF file of the target language stays', async () => {
  const done = (state: string) =>
    `<xliff version="1.2"><file source-language="en" target-language="de"><body><trans-unit id="1"><source>Yes</source><target${state}>Ja</target></trans-unit></body></file></xliff>`;

  expect(await text(xliff, done(''), says('x'))).toBe(done(''));
  expect(await text(xliff, done(' state="needs-translation"'), says('x'))).toContain(
    '<target state="translated">x</target>',
  );
  expect(await text(xliff, done(''), says('x'), 'fr')).toContain('target-language="fr"');
});

test('files of XML that define entities of their own are refused', async () => {
  const file = '<!DOCTYPE resources [<!ENTITY a "b">]><resources><string name="a">&a;</string></resources>';

  await expect(text(androidStrings, file, capitals)).rejects.toMatchObject({ reason: 'bomb' });
});

test('a string of hundreds of thousands of lines is refused', async () => {
  const file = `<resources><string name="a">${'\\n'.repeat(300_000)}a</string></resources>`;

  await expect(text(androidStrings, file, capitals)).rejects.toMatchObject({ reason: 'too_large' });
});

test('the context of an entry of a catalog is part of its text, and an entry of nothing but it is no header', async () => {
  const catalog =
    'msgid ""\nmsgstr "Language: en\\n"\n\nmsgctxt "menu"\nmsgid "Open\\tit"\nmsgstr ""\n\nmsgctxt "state"\nmsgid "Open\\tit"\nmsgstr ""\n';
  const units = await unitsOf(po, Buffer.from(catalog));

  expect(units.map(contextOf)).toEqual(['menu', 'state']);
  expect(units.map(shown)).toEqual(['Open<1/>it', 'Open<1/>it']);
});

const ANDROID = `<?xml version="1.0" encoding="utf-8"?>
<!-- license -->
<resources xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2">
    <string name="app" translatable="false">Acme Mail</string>
    <string name="a">It\\'s <b>bold</b>
        for <xliff:g id="who">%1$s</xliff:g>\\nhere</string>
    <string name="ref">@string/app</string>
    <plurals name="files">
        <item quantity="one">One file</item>
        <item quantity="other">%d files</item>
    </plurals>
    <string-array name="colors"><item>Red &amp; blue</item></string-array>
    <string-array name="codes" translatable="false"><item>abc</item></string-array>
    <string name="cdata"><![CDATA[A <b>tag</b> kept]]></string>
    <string name="wide">"Wide  blank"</string>
    <style name="s"><item name="font">serif</item></style>
</resources>
`;

const XLIFF_1 = `<?xml version="1.0"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file original="a" source-language="en" datatype="plaintext">
    <body>
      <trans-unit id="1">
        <source>Hello <ph id="1">%s</ph> <g id="2">big</g> world</source>
        <note>a note</note>
        <alt-trans><source>Nearly</source><target>Fast</target></alt-trans>
      </trans-unit>
      <trans-unit id="2"><source>Old &amp; new</source><target state="new">alt</target></trans-unit>
      <trans-unit id="3" translate="no"><source>Acme</source></trans-unit>
      <trans-unit id="4"><source>12</source></trans-unit>
    </body>
  </file>
</xliff>
`;

const XLIFF_2 = `<xliff version="2.0" srcLang="en" xmlns="urn:oasis:names:tc:xliff:document:2.0">
  <file id="f">
    <unit id="u">
      <notes><note>about it</note></notes>
      <segment id="s1">
        <source>Hello <pc id="1">you</pc></source>
      </segment>
    </unit>
    <unit id="v" translate="no"><segment><source>Acme</source></segment></unit>
  </file>
</xliff>
`;

const text = async (format: DocumentFormat, source: string, translate: Translate, targetLanguage = 'de') =>
  (await rewrite(format, Buffer.from(source), translate, { targetLanguage })).bytes.toString();

const says =
  (words: string): Translate =>
  () => [{ kind: 'text', text: words }];

test.each([
  ['properties', properties, '# c\nkey = Hello \\\n  there\n'],
  ['Apple strings', appleStrings, '/* c */ "k" = "v";\n'],
  ['an ARB', arb, '{ "a": "b" }'],
  ['Android strings', androidStrings, ANDROID],
] as const)('%s that are translated into themselves have the same bytes', async (_name, format, source) => {
  expect(await text(format, source, identity)).toBe(source);
});
