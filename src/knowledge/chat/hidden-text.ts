import { decodeHTML } from 'entities';

/** What may hide the text in it, or strike it through, where it is an element of HTML without attributes. */
const HIDING_ELEMENTS =
  'applet|area|audio|base|basefont|canvas|datalist|del|details|dialog|embed|frameset|head|iframe|image|img|input|link|listing|' +
  'math|meta|meter|noembed|noframes|noscript|object|optgroup|option|param|picture|plaintext|progress|rp|s|script|select|' +
  'strike|style|svg|template|textarea|title|video|xmp';
const PLACE = '(?:[^\\s()\\\\<>"\'`]|\\([^\\s()\\\\<>"\'`]*\\))*(?:\\s"[^"\\\\()[\\]<>`\\n]*")?';
/**
 * What all clients hide alike, or show as it is: tags without attributes, links and pictures of the simplest form, and
 * lines that begin or end a block of code, with a language at most.
 */
const PLAIN = new RegExp(
  [
    '(?:(?<!`)`{3,}|(?<!~)~{3,})[a-z\\d+#]{0,16}(?=[ \\t]*[\\n\\r])',
    `</?(?!(?:${HIDING_ELEMENTS})\\b)[a-z][a-z\\d-]*\\s?/?>`,
    '<a\\shref="[^"<>\\s]*">',
    '<https?:[^<>\\s"\']*>',
    `!\\[[^[\\]\\\\<>\`\\n]*\\]\\(${PLACE}\\)`,
    `\\]\\(${PLACE}\\)`,
  ].join('|'),
  'gi',
);
/** What a line may begin with before a block. No line break: from each of a run of them the rest would be read again. */
const INDENT = '^(?:[^\\S\\n\\r\\u2028\\u2029]|[>*+\\d.)-])*';
/** What strikes text through. */
const STRIKES = '~~|~[^\\s~](?:[^~]*[^\\s~(])?~';
/**
 * What may hide a part of the paragraph that it stands in, or strike it through: pictures, links, references, and lines
 * that begin a block of code with more than a language.
 */
const HIDES_IN_PARAGRAPH = new RegExp(`!\\[|\\](?:\\(|\\s?\\[(?!\\d+\\]))|${STRIKES}|${INDENT}\`{3}`, 'm');
/** What may hide a part of all that follows: HTML, and lines that say where links go, the end of one included. */
const HIDES_IN_TEXT = new RegExp(`<[a-z/!?]|${INDENT}\\[(?:[^[\\]\\\\]|\\\\.)*\\]:`, 'ims');
const END_OF_DEFINITION = /^(?:[^[\]\\]|\\.)*\]:/s;
const BLANK_LINE = /\n[^\S\n]*\n/;
/** What shows a text in another order than it is written. */
const TURNS = /\p{Bidi_Control}/u;
/** Strokes through the character before, also through those of signs such as that of what is not equal; and a denial. */
const STROKE = /[\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20e0\u20e5\u20e6\u20ea\u20eb\u00ac]/;
/** Latin letters beside others that look like them: a reader sees another word than is compared. */
const LIKE_LATIN = String.raw`[\p{Script=Cyrillic}ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυ]`;
const MIXED = new RegExp(`\\p{Script=Latin}${LIKE_LATIN}|${LIKE_LATIN}\\p{Script=Latin}`, 'u');
const LINE_BREAKS = ['\n', '\r', '\u2028', '\u2029'];
const HIDDEN = '\0';
/** Units of the text before that what hides something may begin with. */
const TAIL = 2;

/**
 * Tells where a reader is certain to see all of a text but what is plain, as it is written: behind anything else that may
 * hide something, strike it through or turn it round, nobody could tell what is seen, by the rules of whatever client.
 */
export class HiddenText {
  private reach: 'paragraph' | 'text' | undefined;
  private tail = '';
  private isRow = false;

  /** @param isCode whether the text is that of blocks of code, which are shown as they are written */
  constructor(readonly isCode = false) {}

  /** Whether the text goes on in a line that may be the row of a table. */
  get isInRow(): boolean {
    return this.isRow;
  }

  /** Whether all of a next sentence would be seen, but for what is plain. */
  shows(sentence: string): boolean {
    const read = this.read(sentence);
    const isDisguised = STROKE.test(read.normalize('NFD')) || MIXED.test(read);
    return this.reach === undefined && !isDisguised && this.reachOf(this.tail + sentence) === undefined;
  }

  /** Goes on behind a next sentence, with the white space behind it. */
  add(sentence: string): void {
    const text = this.tail + sentence;
    const reach = this.reachOf(text);
    const isOver =
      reach !== 'text' && this.reach !== 'text' && BLANK_LINE.test(sentence.slice(sentence.trimEnd().length));
    if (isOver) this.reach = undefined;
    else if (this.reach !== 'text') this.reach = reach ?? this.reach;
    this.tail = text.slice(-TAIL);
    const start = lineStart(sentence);
    this.isRow = (start === 0 && this.isRow) || sentence.includes('|', start);
  }

  private reachOf(text: string): 'paragraph' | 'text' | undefined {
    const isTurned = TURNS.test(this.read(text));
    if (this.isCode) return isTurned ? 'paragraph' : undefined;
    const others = text.replaceAll(PLAIN, '');
    if (HIDES_IN_TEXT.test(others) || END_OF_DEFINITION.test(others)) return 'text';
    return isTurned || HIDES_IN_PARAGRAPH.test(others) ? 'paragraph' : undefined;
  }

  private read(text: string): string {
    return this.isCode ? text : decodeHTML(text);
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

/** Where the last line of a text begins. */
export function lineStart(text: string): number {
  return Math.max(...LINE_BREAKS.map((lineBreak) => text.lastIndexOf(lineBreak))) + 1;
}
