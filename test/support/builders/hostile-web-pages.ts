const MIB = 1024 * 1024;

/** The most bytes that a page may have. */
export const MOST_BYTES = 5 * MIB;

/** Pages that are built to take long or much memory, each with a word that must be found. */
export const HOSTILE_WEB_PAGES: readonly (readonly [what: string, html: string])[] = [
  ['1,000 elements in one another', filled('<div>', 1_000)],
  ['elements in one another', filled('<div>')],
  ['bold ones in one another', filled('<b>')],
  ['200,000 paragraphs', filled('<p>Tide', 200_000)],
  ['paragraphs without end', filled('<p>')],
  ['tables in one another', filled('<table><tr><td>')],
  ['lists in one another', filled('<ul><li>')],
  ['forms in one another', filled('<form><a>')],
  ['an element with many attributes', `<p>Needle.</p><p ${'a b=c '.repeat(500_000)}>x</p>`],
  [
    'an element with other attributes',
    `<p>Needle.</p><p ${Array.from({ length: 300_000 }, (_, at) => `a${at}`).join(' ')}>x</p>`,
  ],
  ['many comments', filled('<!-- x -->')],
  ['comments without end', filled('<!--')],
  ['tags without end', filled('<html')],
  ['end tags', filled('</div>')],
  ['entities', filled('&amp;&#65;&notanentity;')],
  ['one long line', filled('tide ')],
  ['one long word', filled('x')],
  ['line breaks', filled('\n')],
  ['stars', filled('*_`[')],
  ['links', filled('<a href=x>y</a>', 40_000)],
  ['long links', filled(`<a href="/${'x'.repeat(1_900)}">y</a>`, 2_000)],
  ['styles', filled('<style>.a{display:none}</style>', 40_000)],
  ['one long style', `<p>Needle.</p><style>${'.a/*{'.repeat(900_000)}</style>`],
  ['hiding declarations', `<p>Needle.</p>${`<p style="font:${'a'.repeat(90)}">x</p>`.repeat(40_000)}`],
  ['JSON in JSON', `<p>Needle.</p><script type="application/ld+json">${'['.repeat(200_000)}</script>`],
  ['code', filled('<pre>x\n</pre>', 45_000)],
  ['cells', `<p>Needle.</p><table>${'<tr><td>x<td>y'.repeat(15_000)}`],
  ['scalable graphics', filled('<svg><path>')],
  ['a body cut within a tag', '<p>Needle.</p><div class="'],
];

/** As many of a piece as a page may have bytes, and the word. */
function filled(piece: string, count = Math.floor(MOST_BYTES / piece.length) - 10): string {
  return `<title>T</title><p>Needle.</p>${piece.repeat(count)}`;
}
