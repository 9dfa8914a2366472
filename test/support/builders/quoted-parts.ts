/** What every page of `QUOTED_PARTS` says within a quotation. */
export const SAID = 'The dam is safe.';

/** Pages that say `SAID` within a quotation: what kind of one, and its HTML. */
export const QUOTED_PARTS: readonly [what: string, html: string][] = [
  ['an inline quotation', `<p>He said <q>We know. ${SAID} Trust us.</q> but no.</p>`],
  ['one that does not end', `<p>He said <q>We know. ${SAID} Trust us.</p><p>But no.</p>`],
  ['one over several paragraphs', `<div>He said <q><p>We know.</p><p>${SAID}</p><p>Trust us.</p></q> but no.</div>`],
  ['a block', `<blockquote><p>We know.</p><p>${SAID}</p></blockquote>`],
  ['a block that does not end', `<blockquote><p>We know.</p><p>${SAID}</p>`],
  [
    'a block that says itself that it is one',
    `<blockquote data-quoted><div data-quoted><p>${SAID}</p></div></blockquote>`,
  ],
  ['a block of an item', `<ul><li>He lied: <blockquote>We know. ${SAID}</blockquote></li></ul>`],
  [
    'a block of a cell',
    `<table><tr><td>He lied: <blockquote>We know. ${SAID}</blockquote></td><td>No</td></tr></table>`,
  ],
  ['a block with line breaks', `<blockquote>We know.<br>${SAID}<br>Trust us.</blockquote>`],
  ['a block of code', `<blockquote><pre>We know.\n\n${SAID}\n\nTrust.</pre></blockquote>`],
  ['a block behind another in it', `<blockquote>a<blockquote>b</blockquote><p>We know. ${SAID}</p></blockquote>`],
  ['a block with a list', `<blockquote><ul><li>We know.</li><li>${SAID}</li></ul></blockquote>`],
  ['a block with a heading', `<blockquote><h3>${SAID}</h3><p>Trust us.</p></blockquote>`],
  ['a figure', `<figure><blockquote>We know. ${SAID}</blockquote><figcaption>A liar</figcaption></figure>`],
  ['a block without paragraphs', `<blockquote>We know.<br><br>${SAID} ${prose()}<br><br>${prose()}</blockquote>`],
  ['a block of blocks', `<blockquote><div>We know. ${SAID} ${prose()}</div><div>${prose()}</div></blockquote>`],
  ['an inline quotation with a line break', `<p>He said <q>We know.<br>${SAID}<br>Trust us.</q> but no.</p>`],
  ['marks over line breaks', `<p>He said “We know.<br>${SAID}<br>Trust us,” but no.</p>`],
  ['marks in blocks of their own', `<div>“</div><p>${SAID}</p><div>”</div>`],
  ['a block by its role', `<div role="blockquote"><p>We know.</p><p>${SAID}</p></div>`],
  ['a block that has nothing but a text', `<div class="quote">We know. ${SAID}</div>`],
  ['a block by its class', `<div class="bbcode_quote"><p>We know. ${SAID}</p></div>`],
  ['a block that is the article', `<blockquote><p>${prose()}</p><p>${SAID}</p><p>${prose()}</p></blockquote>`],
  ['a part of a block', `<blockquote><div><p>${prose()}</p><p>${SAID}</p><p>${prose()}</p></div><p>x</p></blockquote>`],
];

function prose(): string {
  return 'The council met on Monday, and spoke of the state of the river, the roads and the mills. '.repeat(6);
}

/** A page of news that is long enough to be read as an article, with `html` in the middle. */
export function pageOf(html: string): string {
  return `<html><body><article><h1>News</h1><p>${prose()}</p>${html}<p>${prose()}</p></article></body></html>`;
}
