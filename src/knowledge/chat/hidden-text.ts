/** What may hide the text in it where it is an element of HTML without attributes; all others show it. */
const HIDING_ELEMENTS =
  'applet|area|audio|base|basefont|canvas|datalist|details|dialog|embed|frameset|head|iframe|image|img|input|link|listing|' +
  'math|meta|meter|noembed|noframes|noscript|object|optgroup|option|param|picture|plaintext|progress|rp|script|select|' +
  'style|svg|template|textarea|title|video|xmp';
const PLACE = '(?:[^\\s()\\\\<>"\'`]|\\([^\\s()\\\\<>"\'`]*\\))*(?:\\s"[^"\\\\()[\\]<>`\\n]*")?';
/** What all clients hide alike, or show as it is: tags without attributes, links and pictures of the simplest form. */
const PLAIN = new RegExp(
  [
    `</?(?!(?:${HIDING_ELEMENTS})\\b)[a-z][a-z\\d-]*\\s?/?>`,
    '<a\\shref="[^"<>\\s]*">',
    '<https?:[^<>\\s"\']*>',
    `!\\[[^[\\]\\\\<>\`\\n]*\\]\\(${PLACE}\\)`,
    `\\]\\(${PLACE}\\)`,
  ].join('|'),
  'gi',
);
/** What may hide a part of the paragraph that it stands in: pictures, links and references. */
const HIDES_IN_PARAGRAPH = /!\[|\](?:\(|\s?\[(?!\d+\]))/;
/** What a line may begin with before a block. No line break: from each of a run of them the rest would be read again. */
const INDENT = '^(?:[^\\S\\n\\r\\u2028\\u2029]|[>*+\\d.)-])*';
/** What may hide a part of all that follows: HTML, and lines that say where links go, the end of one included. */
const HIDES_IN_TEXT = new RegExp(`<[a-z/!?]|${INDENT}\\[(?:[^[\\]\\\\]|\\\\.)*\\]:`, 'ims');
const END_OF_DEFINITION = /^(?:[^[\]\\]|\\.)*\]:/s;
const BLANK_LINE = /\n[^\S\n]*\n/;
const HIDDEN = '\0';
/** Units of the text before that what hides something may begin with. */
const TAIL = 2;

/**
 * Tells where a reader is certain to see all of a text but what is plain: behind anything else that may hide something
 * nobody could tell what is seen, by the rules of whatever client.
 */
export class HiddenText {
  private reach: 'paragraph' | 'text' | undefined;
  private tail = '';

  /** Whether all of a next sentence would be seen, but for what is plain. */
  shows(sentence: string): boolean {
    return this.reach === undefined && reachOf(this.tail + sentence) === undefined;
  }

  /** Goes on behind a next sentence, with the white space behind it. */
  add(sentence: string): void {
    const text = this.tail + sentence;
    const reach = reachOf(text);
    const isOver =
      reach !== 'text' && this.reach !== 'text' && BLANK_LINE.test(sentence.slice(sentence.trimEnd().length));
    if (isOver) this.reach = undefined;
    else if (this.reach !== 'text') this.reach = reach ?? this.reach;
    this.tail = text.slice(-TAIL);
  }
}

/** A text with a character that is none in each place that a reader does not see of what is plain. */
export function maskPlain(text: string): string {
  return text.replaceAll(PLAIN, (plain) => HIDDEN.repeat(plain.length));
}

/** A part of such a text without these characters. */
export function withoutMasks(masked: string): string {
  return masked.replaceAll(HIDDEN, '');
}

function reachOf(text: string): 'paragraph' | 'text' | undefined {
  const others = text.replaceAll(PLAIN, '');
  if (HIDES_IN_TEXT.test(others) || END_OF_DEFINITION.test(others)) return 'text';
  return HIDES_IN_PARAGRAPH.test(others) ? 'paragraph' : undefined;
}
