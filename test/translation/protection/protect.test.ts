import { describe, expect, it } from '@jest/globals';
import { MATCH_KINDS } from '../../../src/sanitizer/matching/match.types.js';
import { MarkerCount } from '../../../src/translation/protection/marker-count.js';
import { bracketNotation } from '../../../src/translation/protection/notations/bracket-notation.js';
import { superblankNotation } from '../../../src/translation/protection/notations/superblank-notation.js';
import { createTagNotation } from '../../../src/translation/protection/notations/tag-notation.js';
import { protect } from '../../../src/translation/protection/protect.js';
import type { ProtectedUnit } from '../../../src/translation/protection/protected-unit.js';
import { restore } from '../../../src/translation/protection/restore.js';
import type { InlineText } from '../../../src/translation/units/inline-text.js';
import { splitAtBarriers, splitAtMarkers } from '../../../src/translation/units/split-unit.js';
import { seen } from '../fixtures/seen-texts.js';
import { textOf } from '../fixtures/segments.js';

const of = (text: string): InlineText => [{ kind: 'text', text }];
const answered = (text: string, answer: string): string =>
  textOf(restore(protect(of(text), { notation: bracketNotation }), answer));

it.each([
  ['Hello {name}, {{ user.mail }} and ${total}!', 'Hello ⟦1⟧, ⟦2⟧ and ⟦3⟧!'],
  ['%1$s of %d, %(count)s, %5.2f, %@, 100 %% sure', '⟦1⟧ of ⟦2⟧, ⟦3⟧, ⟦4⟧, ⟦5⟧, 100 ⟦6⟧ sure'],
  ['%,d %1$,d %r %v %q %T %b %S %I64d %tY %1$tB %(d', '⟦1⟧ ⟦2⟧ ⟦3⟧ ⟦4⟧ ⟦5⟧ ⟦6⟧ ⟦7⟧ ⟦8⟧ ⟦9⟧ ⟦10⟧ ⟦11⟧ ⟦12⟧'],
  ['Hello %<name>s, on %Y-%m-%d at %H:%M', 'Hello ⟦1⟧, on ⟦2⟧-⟦3⟧-⟦4⟧ at ⟦5⟧:⟦6⟧'],
  ['{name!r} {x:>10} {user?.name} {a|upper} {0:dd/MM/yyyy HH:mm} {0:#,##0.00}', '⟦1⟧ ⟦2⟧ ⟦3⟧ ⟦4⟧ ⟦5⟧ ⟦6⟧'],
  [
    '{Note: this is prose} {Really? Yes!} 50%off, 7%a day, 100 %sure',
    '{Note: this is prose} {Really? Yes!} 50%off, 7%a day, 100 ⟦1⟧ure',
  ],
  ['It is 50 % off, for 5 kg or 25 °C at € 9.99.', 'It is ⟦1⟧ off, for ⟦2⟧ or ⟦3⟧ at ⟦4⟧.'],
  ['See https://example.com/a_(b)?c=d&e={f}.', 'See ⟦1⟧.'],
  ['(see www.example.com) or mail to a.b+c@example.co.uk, please', '(see ⟦1⟧) or mail to ⟦2⟧, please'],
  ['A <b class="x">bold</b> word<br/>and &nbsp;&#160; here', 'A ⟦1⟧bold⟦/1⟧ word⟦2⟧and ⟦3⟧⟦4⟧ here'],
  ['Ask <PERSON_1> at <EMAIL_12> <!-- why --> <% x %>', 'Ask ⟦1⟧ at ⟦2⟧ ⟦3⟧ ⟦4⟧'],
  ['Crossing <b>a <i>b</b> c</i>', 'Crossing ⟦1⟧a ⟦2⟧b⟦/1⟧ c⟦3⟧'],
  ['Markers ⟦1⟧, [[2]] and 【 3 】 of its own', 'Markers ⟦1⟧, ⟦2⟧ and ⟦3⟧ of its own'],
  ['Prose {in braces, of course} and 3 < 4 & 5 > 4', 'Prose {in braces, of course} and 3 < 4 & 5 > 4'],
  ['In 2024 there were 15 of 20 rooms', 'In 2024 there were 15 of 20 rooms'],
  ['  around  ', 'around'],
  ["Run `rm -rf build` and not `a' or `b'", "Run ⟦1⟧ and not `a' or `b'"],
  ['Open example.com/login, evil.example.com or https.org.', 'Open ⟦1⟧, ⟦2⟧ or ⟦3⟧.'],
  ['It ends.It begins, e.g. here and/or there.Com', 'It ends.It begins, e.g. here and/or there.Com'],
  ['Ask admin@localhost, @user, :name or $name at 10:30', 'Ask ⟦1⟧, ⟦2⟧, ⟦3⟧ or ⟦4⟧ at 10:30'],
  ['See file:///etc/passwd javascript:alert(1) data:text/html,x of it', 'See ⟦1⟧ ⟦2⟧ ⟦3⟧ of it'],
])('shows an engine of %j only %j', (text, shown) => {
  expect(seen(text)).toEqual([shown]);
});

it.each(MATCH_KINDS)('keeps the mask of the sanitizer for %s', (kind) => {
  expect(seen(`Ask [${kind.toUpperCase()}] about it`)).toEqual(['Ask ⟦1⟧ about it']);
});

it('shows apertium no tildes, which its programs lose', () => {
  const unit = protect(of('from a~b to ~~c'), { notation: superblankNotation });

  expect(unit.text).toBe('from a[1]b to [2]c');
  expect(textOf(restore(unit, 'de a[1]b a [2]c'))).toBe('de a~b a ~~c');
});

describe('messages of ICU', () => {
  it('are a marker, and their branches are units', () => {
    expect(seen('{n, plural, =0 {no file} one {# file in {dir}} other {# files}} left')).toEqual([
      '⟦1⟧ left',
      'no file',
      '⟦1⟧ file in ⟦2⟧',
      '⟦1⟧ files',
    ]);
  });

  it('come back with their skeleton and translated branches, those within branches too', () => {
    const unit = protect(of('{g, select, male {{n, plural, one {his cat} other {his # cats}}} other {their cats}}!'), {
      notation: bracketNotation,
    });
    const answers: Record<string, string> = {
      'his cat': 'seine Katze',
      'his ⟦1⟧ cats': 'seine ⟦1⟧ Katzen',
      'their cats': 'ihre Katzen',
    };

    const restored = textOf(restore(unit, ({ text }) => answers[text] ?? text));

    expect(restored).toBe(
      '{g, select, male {{n, plural, one {seine Katze} other {seine # Katzen}}} other {ihre Katzen}}!',
    );
  });

  it('keep their syntax where the answer has braces, numbers signs, and apostrophes before a brace', () => {
    const unit = protect(of('{n, plural, one {the file of {name}} other {# dogs}}'), { notation: bracketNotation });
    const answers: Record<string, string> = { 'the file of ⟦1⟧': "le fichier d'⟦1⟧ {x}", '⟦1⟧ dogs': "⟦1⟧ #1 dogs'" };

    const restored = textOf(restore(unit, ({ text }) => answers[text] ?? text));

    expect(restored).toBe("{n, plural, one {le fichier d''{name} '{'x'}'} other {# '#'1 dogs''}}");
  });

  it('have nothing around them that would quote them', () => {
    const unit = protect(of('The name of {g, select, f {her} other {them}} and {name}.'), {
      notation: bracketNotation,
    });

    const restored = textOf(restore(unit, (asked) => (asked === unit ? "Le nom d'⟦1⟧ et d'⟦2⟧ }." : asked.text)));

    expect(restored).toBe("Le nom d''{g, select, f {her} other {them}} et d''{name} '}'.");
  });

  it('have nothing around them that would quote them where parts were translated by themselves', () => {
    const unit = protect(of('Look here{n, plural, one {house} other {houses}} today'), { notation: bracketNotation });
    const [first] = splitAtMarkers(unit);

    expect(textOf(restore(first as ProtectedUnit, "Schau hier d'"))).toContain("Schau hier d''");
  });

  it('quote the syntax of terms in their branches', () => {
    const glossary = [{ source: 'house', target: "o{x}'casa" }];
    const unit = protect(of('{n, plural, other {The house is red}}'), { notation: bracketNotation, glossary });

    const restored = restore(unit, ({ text }) => text.replace('The', 'La').replace('is red', 'rossa'));

    expect(textOf(restored)).toBe("{n, plural, other {La o'{'x'}'''casa rossa}}");
  });

  it('leave what is behind a tag without its partner as it is', () => {
    const tag = { kind: 'single', reads: '', isBarrier: true } as const;
    const [unit] = splitAtBarriers(
      protect(
        [...of('Here {n, plural, one {is} other {are}}'), { ...tag, mark: 1 }, ...of("' {"), { ...tag, mark: 2 }],
        {
          notation: bracketNotation,
        },
      ),
    );

    const restored = restore(unit as ProtectedUnit, ({ text }) => text.replace('Here', 'Ici'));

    expect(textOf(restored)).toBe("Ici {n, plural, one {is} other {are}}' {");
  });

  it.each([
    "{n, plural, one {It''s '{'one'}'} other {d'{x}}}",
    '{n, plural, one {a}',
    '{n, plural, one a}',
    '{n, plural, }',
    '{a, select, b {{a, select, b {{a, select, b {{a, select, b {{a, select, b {{a, select, b {deep}}}}}}}}}}}}',
  ])('are as they were in %j where engines answer what they see', (text) => {
    const unit = protect(of(text), { notation: bracketNotation });

    expect(textOf(restore(unit, (asked) => asked.text))).toBe(text);
  });
});

describe('a glossary', () => {
  const glossary = [
    { source: 'data base', target: 'Datenbank' },
    { source: 'data', target: 'Daten' },
    { source: 'contract', target: 'Vertrag' },
    { source: '合同', target: 'Vertrag' },
  ];

  it('is markers that come back as the targets, whole words in any case, the longest first', () => {
    const unit = protect(of('The Contract on data  base data of contractors, 合同于 data@example.com'), {
      notation: bracketNotation,
      glossary,
    });

    expect(unit.text).toBe('The ⟦1⟧ on ⟦2⟧ ⟦3⟧ of contractors, ⟦4⟧于 ⟦5⟧');
    expect(textOf(restore(unit, 'Der ⟦1⟧ über ⟦2⟧-⟦3⟧ ⟦4⟧ ⟦5⟧'))).toBe(
      'Der Vertrag über Datenbank-Daten Vertrag data@example.com',
    );
  });
});

describe('answers', () => {
  it.each([
    'Hallo ⟦ 1 ⟧, ⟦2⟧fett⟦ / 2 ⟧',
    'Hallo [[1]], 【2】fett【/2】',
    'Hallo 〚1〛, ［2］fett［／2］',
    'Hallo ⟦１⟧, ⟦2⟧fett⟦2⟧',
    'Hallo ⟦١⟧, ⟦2⟧fett⟦/2⟧',
    '\n Hallo ⟦1⟧⟦/1⟧, ⟦2⟧fett⟦/2⟧ ',
  ])('are read as models write markers: %j', (answer) => {
    expect(answered('Hello {name}, <b>bold</b>', answer)).toBe('Hallo {name}, <b>fett</b>');
  });

  it.each(['Hallo', 'Hallo ⟦1⟧ ⟦1⟧ ⟦2⟧x⟦/2⟧', 'Hallo ⟦1⟧ ⟦/2⟧x⟦2⟧', 'Hallo ⟦1⟧ ⟦2⟧x⟦/2⟧ ⟦3⟧', 'Hallo ⟦1⟧ ⟦2⟧x'])(
    'with other markers are no texts: %j',
    (answer) => {
      expect(() => answered('Hello {name}, <b>bold</b>', answer)).toThrow(RangeError);
    },
  );

  it('may move a placeholder out of a pair, and no mark of the document', () => {
    const unit = protect(
      [
        { kind: 'open', mark: 1 },
        { kind: 'text', text: 'a {x} ' },
        { kind: 'single', mark: 2 },
        { kind: 'close', mark: 1 },
        { kind: 'text', text: ' b' },
      ],
      { notation: bracketNotation },
    );

    expect(unit.text).toBe('⟦1⟧a ⟦2⟧ ⟦3⟧⟦/1⟧ b');
    expect(() => restore(unit, '⟦2⟧ ⟦1⟧a ⟦3⟧⟦/1⟧ b')).not.toThrow();
    expect(() => restore(unit, '⟦3⟧ ⟦1⟧a ⟦2⟧⟦/1⟧ b')).toThrow(RangeError);
  });
});

it('writes tags for engines that take markup, and reads them in other spellings', () => {
  const unit = protect(of('Tom & {name} <b>like</b> 3 < 4'), { notation: createTagNotation() });

  expect(unit.text).toBe('Tom &amp; <x id="1"/> <g id="2">like</g> 3 &lt; 4');
  expect(textOf(restore(unit, "< X id = '1' > &amp; Tom <G id=“2”>mögen</ g> 3 &lt; 4"))).toBe(
    '{name} & Tom <b>mögen</b> 3 < 4',
  );
});

it('writes tags of HTML as its parsers read them', () => {
  const notation = createTagNotation({ pair: 'span', single: 'img', syntax: 'html-void' });
  const unit = protect(of('A {x} <b>b</b>'), { notation });

  expect(unit.text).toBe('A <img id="1"> <span id="2">b</span>');
  expect(textOf(restore(unit, '<span id="2">c</span> <img id="1"/>'))).toBe('<b>c</b> {x}');
});

it('writes superblanks for apertium, and escapes what its stream has', () => {
  const unit = protect(of('The <b>red</b> [1] {x} a/b^c$ house'), { notation: superblankNotation });

  expect(unit.text).toBe('The [1]red[/1] \\[1\\] [2] a\\/b\\^c\\$ house');
  expect(textOf(restore(unit, 'La [1]casa roja[/1] \\[1\\] [2] a\\/b\\^c\\$'))).toBe(
    'La <b>casa roja</b> [1] {x} a/b^c$',
  );
});

it.each<[what: string, text: InlineText]>([
  ['placeholders', of('a %d '.repeat(10))],
  ['syntax of branches', of(`{n, plural, other{${'#'.repeat(10)}}}`)],
  ['terms', of('term '.repeat(10))],
  ['marks', Array.from({ length: 10 }, (_, mark) => ({ kind: 'single', mark: mark + 1 }))],
])('counts %s while they are found', (_, text) => {
  let count = 0;
  const markers = new MarkerCount(({ markers: added = 0 }) => (count += added));

  protect(text, { notation: bracketNotation, glossary: [{ source: 'term', target: 'x' }], markers });

  expect(count).toBe(10);
});

it('refuses terms that would be more of a translation than the longest text', () => {
  const glossary = [{ source: 'term', target: 'x'.repeat(500) }];
  const put = (terms: number) =>
    protect(of('term '.repeat(terms)), { notation: bracketNotation, glossary, markers: new MarkerCount() });

  expect(put(2_000).markers.size).toBe(2_000);
  expect(() => put(2_100)).toThrow(
    'The terms of the glossary would be more than 1,048,576 characters of the translation',
  );
});
