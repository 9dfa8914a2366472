import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse, parseFragment } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { readHtmlUnits } from '../../../src/translation/html/read-html-units.js';
import type { InlineText } from '../../../src/translation/units/inline-text.js';
import { identity, mapTexts } from '../../support/builders/html-texts.js';

describe('units', () => {
  it.each<[string, string, string[]]>([
    [
      'are the inline runs of blocks',
      '<div>A <b>bold</b> word<p>and <i>this</i></p>rest</div>',
      ['A <1>bold</1> word', 'and <1>this</1>', 'rest'],
    ],
    ['have nested pairs', '<p>a <b>b <i>c</i></b> d', ['a <1>b <2>c</2></1> d']],
    [
      'have white space as a browser shows it',
      '<p>\n a <b> b</b>  <i>c </i>\n d\u00a0 e\n</p>',
      ['a <1>b</1> <2>c </2>d\u00a0 e'],
    ],
    ['have decoded entities', '<p>R&amp;D &lt; caf&eacute; &#x41;&nbsp;x', ['R&D < café A\u00a0x']],
    ['have line breaks as marks, and end at two', '<p>a<br>\n b<br> <br>c', ['a<1/>b', 'c']],
    ['have no wrapper that holds all of them', '<li><a href=x><b>Home</b></a> <!-- x --></li>', ['Home']],
    ['are none without letters', '<td>12.5</td><td> - </td><td>🎉</td>', []],
    [
      'have code and what is not translated as one mark',
      '<p>Run <code>npm <b>i</b></code> in <span translate="no">Acme <i>x</i></span>.',
      ['Run <1/> in <2/>.'],
    ],
    [
      'are not in what is not translated',
      '<pre>a</pre><div translate=no>a<p>b</div><p class="x notranslate">c<p>d<svg><title>e</title></svg>',
      ['d<1/>'],
    ],
    ['are in what is translated again', '<div translate="no">a <p translate="yes">b</p> c</div>d', ['b', 'd']],
    [
      'are not in scripts, styles and comments',
      '<script>"<p>a</p>"</script><style>p{}</style><!-- <p>b --><noscript><p>c</noscript><p>d',
      ['d'],
    ],
    [
      'are attributes that people read',
      '<p><img alt="A cat" src="b">text <a title=Tip href=x>x</a><input placeholder=\'Your name\' value=c><b aria-label="d"></b>',
      ['alt: A cat', 'text <1>x</1>', 'title: Tip', 'placeholder: Your name', 'aria-label: d'],
    ],
    ['are titles and text areas', '<title>A &amp; <b></title><textarea>\n a\n  b</textarea>', ['A & <b>', 'a\n  b']],
    [
      'go on behind tags without a partner, but at their ends',
      '<p><b>a <b>b <i>c</b> d</i> e<i> <p></i>f',
      ['a <1/>b <2/>c<3/> d<4/> e', 'f'],
    ],
    [
      'end where browsers end elements',
      '<ul><li translate=no>a<li>b</ul><table><tr><td translate=no>c<td>d</table><p translate=no>e<p>f',
      ['b', 'd', 'f'],
    ],
    ['go on behind a tag in quotes', '<p title="a > b <i>">c</p>', ['title: a > b <i>', 'c']],
  ])('%s', (_, html, units) => {
    expect(unitsOf(html)).toEqual(units);
    expect(identity(html)).toBe(html);
  });
});

describe('writing', () => {
  it('replaces the text alone and escapes it, so that nothing becomes markup', () => {
    const html = "<P  CLASS=x>Hello <B>you</B>&copy<img ALT='a' title=b alt = c></P >\r\n<!doctype x>";

    const written = mapTexts(html, () => `<script>"'&amp;\u0000`);

    const escaped = '&lt;script&gt;';
    expect(written).toBe(
      `<P  CLASS=x>${escaped}&quot;'&amp;amp;<B>${escaped}&quot;'&amp;amp;</B>${escaped}&quot;'&amp;amp;<img ALT='${escaped}&quot;&#39;&amp;amp;' title="${escaped}&quot;&#39;&amp;amp;" alt = c></P >\r\n<!doctype x>`,
    );
  });

  it.each<[string, string]>([
    [`<p>He says "yes" and 'no'`, `<p>X"'`],
    ['<p>He says &quot;yes&quot; and &#39;no&#39;', '<p>X&quot;&#39;'],
    ['<p>He says &quot;yes&quot; and "no"', `<p>X&quot;'`],
    ['<p>He says yes', `<p>X&quot;'`],
  ])('has quotes as the source has them: %s', (html, written) => {
    expect(mapTexts(html, () => `X"'`)).toBe(written);
  });

  it('moves marks with what they stand for, and attributes in them', () => {
    const { units, write } = readHtmlUnits('<p>The <a href="x" title="Red">red</a> <img alt="House"> is here</p>');
    const moved: InlineText = [
      { kind: 'single', mark: 2 },
      { kind: 'text', text: ' ' },
      { kind: 'open', mark: 1 },
      { kind: 'text', text: 'rojo' },
      { kind: 'close', mark: 1 },
    ];

    const written = write(
      new Map([
        [0, moved],
        [1, [{ kind: 'text', text: 'Rojo' }]],
        [2, [{ kind: 'text', text: 'Casa' }]],
      ]),
    );

    expect(units).toHaveLength(3);
    expect(written).toBe('<p><img alt="Casa"> <a href="x" title="Rojo">rojo</a></p>');
  });

  it.each<[string, InlineText]>([
    ['lost', [{ kind: 'text', text: 'x' }]],
    [
      'repeated',
      [1, 1].flatMap(
        (mark) =>
          [
            { kind: 'open', mark },
            { kind: 'close', mark },
          ] as const,
      ),
    ],
    ['not ended', [{ kind: 'open', mark: 1 }]],
    [
      'foreign',
      [
        { kind: 'open', mark: 1 },
        { kind: 'close', mark: 1 },
        { kind: 'single', mark: 2 },
      ],
    ],
    ['of another kind', [{ kind: 'single', mark: 1 }]],
  ])('refuses a translation with marks that are %s', (_, inline) => {
    const { write } = readHtmlUnits('<p>a <b>b</b></p>');

    expect(() => write(new Map([[0, inline]]))).toThrow(RangeError);
  });

  it('keeps every byte of any input where nothing is translated', () => {
    const piece = fc.constantFrom(...PIECES, ...ODD_PIECES);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const html = pieces.join('');

        expect(identity(html)).toBe(html);
      }),
      { numRuns: 400 },
    );
  });

  it.each([
    '<math><title><style><a title="</style></math>TEXT">x</a>',
    '<math><desc><style><a title="</style></math>TEXT">x</a>',
    '<svg><mi><style><a title="</style></svg>TEXT">x</a>',
    '<svg><annotation-xml><style><a title="</style></svg>TEXT">x</a>',
    '<math><annotation-xml><style><a title="</style></math>TEXT">x</a>',
    '<math><mi><mglyph><style><a title="</style></math>TEXT">x</a>',
    '<b><div><svg></b><style><a title="</style>TEXT">x</a>',
    '<table><svg></table><style><a title="</style>TEXT">x</a>',
    '<form><math><mtext></form><form><mglyph><style></math><a title="</style>TEXT">',
    '<svg><desc><![CDATA[><style>]]><a title="</style></desc></svg>TEXT">x',
    '<select><title><input title="</title>TEXT">',
    '<col><title><col title="</title>TEXT">',
    '<select><svg></select><style><a title="</style>TEXT">',
  ])('brings nothing to life that a browser takes for the value of an attribute: %s', (html) => {
    const said = 'Hello dear world, read this &quot; onmouseover=alert(1) x=&quot; now';
    const source = html.replace('TEXT', said);

    const written = mapTexts(source, (text) => text.replace('now', 'soon'));

    expect(elementsOf(written)).toEqual(elementsOf(source));
    expect(readHtmlUnits(source).units).toEqual([]);
  });

  it.each([
    ['<p>a <svg><title>b</title><path d="M0"><style>c{}</style></svg> d</p><p>e</p>', ['a <1/> d', 'e']],
    ['<svg><foreignObject><p>a<br>b</p></foreignObject></svg><p>c', ['c']],
    ['<p>a <math><mi>b</mi><mo>=</mo></math> d', ['a <1/> d']],
    [
      '<p>a<math><annotation-xml encoding="text/html"><b>b</b></annotation-xml></math><select><option>c</select>d',
      ['a<1/>', 'c', 'd'],
    ],
  ])('reads on behind SVG and MathML as they should be: %s', (html, units) => {
    expect(unitsOf(html)).toEqual(units);
  });

  it('keeps the elements of any input, as a browser reads them, whatever an engine writes', () => {
    const piece = fc.constantFrom(...PIECES);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const html = pieces.join('');

        const written = mapTexts(html, (text) => `${text}"'><script>alert(1)</script><img src=x onerror=y>&lt;`);

        expect(elementsOf(written)).toEqual(elementsOf(html));
      }),
      { numRuns: 400 },
    );
  });
});

/** The elements of a document with the names of their attributes, and the text of its scripts. */
function elementsOf(html: string): string[] {
  const names: string[] = [];
  const nodes: DefaultTreeAdapterTypes.Node[] = [...parseFragment(html).childNodes, ...parse(html).childNodes];
  for (const node of nodes) {
    if ('tagName' in node) names.push([node.tagName, ...node.attrs.map(({ name }) => name)].join(' '));
    if (node.nodeName === 'script' && 'childNodes' in node)
      names.push(JSON.stringify(node.childNodes.map((child) => ('value' in child ? child.value : ''))));
    if ('childNodes' in node) nodes.push(...node.childNodes);
    if ('content' in node) nodes.push(...node.content.childNodes);
  }
  return names.sort();
}

/** Units as text: `<1>…</1>` is a pair, `<2/>` a single mark. */
function unitsOf(html: string): string[] {
  return readHtmlUnits(html).units.map(({ inline, attribute }) => {
    const text = inline
      .map((part) =>
        part.kind === 'text'
          ? part.text
          : { open: `<${part.mark}>`, close: `</${part.mark}>`, single: `<${part.mark}/>` }[part.kind],
      )
      .join('');
    return attribute === undefined ? text : `${attribute}: ${text}`;
  });
}

const PIECES =
  '<b>|</b>|<p>|</p>|<i a="x">|</i>|<br>|text |&amp;|<title>|</title>|<svg>|</svg>|<a title="t">|</a>|<img alt=x>|<textarea>|</textarea>|<code>|</code>|<div translate=no>|</div>|<table><td>|<li>|<style>|</style>|<script>|</script>|<noscript>|</noscript>|<option>|<math><mi>|<!--|-->|<foreignObject>|<desc>|</svg>|</math>|<select>|</select>|<input>|<xmp>|</xmp>|<a title="|"|&quot; y=z |<mglyph>|<annotation-xml>|<table>|</table>|<form>|</form>|<frameset>|<template>|</template>|<iframe>|</iframe>|<textarea>|<![CDATA[|]]>|<button>|<nobr>'.split(
    '|',
  );

const ODD_PIECES =
  'é🎉|&|<|>|"|\'|\r\n|\0|<![CDATA[|]]>|<a title="|<img alt=x|<span translate=yes>|</span>|<td>|=|/|<template>|\ud800'.split(
    '|',
  );
