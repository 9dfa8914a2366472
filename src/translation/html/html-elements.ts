const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Elements that begin and end a paragraph, and those of the head; a button and an option are texts by themselves. */
export const BLOCKS = words(
  'address article aside base basefont bgsound blockquote body button caption center col colgroup datalist dd details ' +
    'dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr ' +
    'html iframe legend li link listing main menu meta nav noembed noframes noscript ol optgroup option p plaintext pre ' +
    'script search section select style summary table tbody td template textarea tfoot th thead title tr ul xmp',
);

/** Elements without content. */
export const VOID = words(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
);

/** Elements whose content is not translated, whatever it says. */
export const UNTOUCHED = words('code iframe listing math noembed noframes noscript plaintext pre script style svg xmp');

/** Void inline elements that say nothing about the text beside them, so that engines need not see them at its ends. */
export const TRIMMED = words('br img input wbr embed area param source track');

/** How the tokenizer goes on behind a start tag. A browser with scripts reads `noscript` as text. */
export const TEXT_MODES: Readonly<Record<string, 'RCDATA' | 'RAWTEXT' | 'SCRIPT_DATA' | 'PLAINTEXT'>> = {
  title: 'RCDATA',
  textarea: 'RCDATA',
  style: 'RAWTEXT',
  xmp: 'RAWTEXT',
  iframe: 'RAWTEXT',
  noembed: 'RAWTEXT',
  noframes: 'RAWTEXT',
  noscript: 'RAWTEXT',
  script: 'SCRIPT_DATA',
  plaintext: 'PLAINTEXT',
};

/** Where HTML is read again inside of SVG and MathML; `annotation-xml` only where its encoding says so. */
export const INTEGRATION_POINTS = { svg: words('foreignobject desc title'), math: words('mi mo mn ms mtext') } as const;

/** Elements of SVG whose names HTML has for texts without tags, and which are common. */
export const SVG_TEXTS = words('title style script');

/** What is read as MathML where else HTML is. */
export const MATH_GLYPHS = words('mglyph malignmark');

/** What parsers leave out or keep within `select`. */
export const NOT_IN_SELECT = words('title style xmp iframe noembed noframes noscript plaintext svg math');

/** Start tags that end SVG and MathML around them. */
export const BREAKOUTS = words(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ' +
    'ol p pre ruby s small span strong strike sub sup table tt u ul var font',
);

/** The elements that a start tag ends, where the innermost block is one of them. */
const ENDED: Readonly<Record<string, ReadonlySet<string>>> = {
  li: words('p li'),
  dt: words('p dt dd'),
  dd: words('p dt dd'),
  td: words('p td th caption'),
  th: words('p td th caption'),
  tr: words('p td th tr caption colgroup'),
  tbody: words('p td th tr tbody thead tfoot caption colgroup'),
  thead: words('p td th tr tbody thead tfoot caption colgroup'),
  tfoot: words('p td th tr tbody thead tfoot caption colgroup'),
  option: words('option'),
  optgroup: words('option optgroup'),
  body: words('head'),
};
const HEADINGS = words('p h1 h2 h3 h4 h5 h6');
const PARAGRAPH = words('p');
/** Blocks that may stand in a paragraph. */
const IN_PARAGRAPH = words(
  'button option optgroup select textarea script style template title link meta noscript iframe base',
);
const NONE: ReadonlySet<string> = new Set();

/** The elements that a start tag ends where the innermost block is one of them: `<p>` ends a `<p>`. */
export function endedBy(name: string): ReadonlySet<string> {
  if (Object.hasOwn(ENDED, name)) return ENDED[name] ?? NONE;
  if (/^h[1-6]$/.test(name)) return HEADINGS;
  return BLOCKS.has(name) && !IN_PARAGRAPH.has(name) ? PARAGRAPH : NONE;
}
