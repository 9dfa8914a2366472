import { TokenizerMode } from 'parse5';
import type { Token, TokenHandler } from 'parse5';
import type { TextSpan } from '../../platform/text/text-span.js';
import { locateValue, TRANSLATED_ATTRIBUTES } from './html-attributes.js';
import type { AttributeValue } from './html-attributes.js';
import { BLOCKS, TEXT_MODES, TRIMMED, VOID } from './html-elements.js';
import { toRunUnits } from './html-run.js';
import type { RunItem, RunUnit } from './html-run.js';
import { OpenElements } from './open-elements.js';
import type { ElementTraits } from './open-elements.js';
import { SteppedTokenizer } from './stepped-tokenizer.js';

const LETTER = /\p{L}/u;
/** Tags and texts of one run. No sentence has so many; a longer run is cut, so that no unit holds up others. */
const MOST_ITEMS = 2_000;
/** Those of `annotation-xml` with HTML in it. */
const HTML_ENCODINGS: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);
/** Elements whose `title` names a sheet of styles. */
const NOT_READ: ReadonlySet<string> = new Set(['link', 'style', 'script', 'meta', 'base']);

/** Collects the runs and the attributes of a document from the tokens that parse5 makes of it; no tree is built. */
export class HtmlReader implements TokenHandler {
  /** Null: the tokenizer need not look for errors. */
  readonly onParseError = null;
  readonly runs: RunUnit[] = [];
  readonly attributes: AttributeValue[] = [];
  private readonly tokenizer = new SteppedTokenizer({ sourceCodeLocationInfo: true }, this);
  private readonly html: string;
  private readonly elements = new OpenElements();
  private run: RunItem[] = [];
  /** Runs that are whole, and no units yet. */
  private readonly ended: { readonly items: readonly RunItem[]; readonly isPreformatted: boolean }[] = [];
  private text = '';
  private textStart = -1;
  private textEnd = -1;
  /** Whether parsers may read what follows in other ways: none of it is read. */
  private isDoubtful = false;
  /** The inline element that is not translated and open, from its start tag on. */
  private kept: { readonly start: number; readonly depth: number } | undefined;

  // Types are stripped where it runs in a child process.
  constructor(html: string) {
    this.html = html;
  }

  /** Reads on until the document ends, or there are more units than wanted. */
  *read(most: number): Generator<void, void> {
    const { tokenizer } = this;
    for (tokenizer.write(this.html, true); ; tokenizer.resume()) {
      yield;
      if (tokenizer.isExceeded) this.endBeforeDoubt();
      yield* this.makeUnits(most);
      if (this.isDoubtful || this.runs.length + this.attributes.length > most || !tokenizer.isPaused) return;
    }
  }

  /** Makes units of the runs that are whole, until there are more than wanted. */
  private *makeUnits(most: number): Generator<void, void> {
    for (const { items, isPreformatted } of this.ended.splice(0)) {
      for (const unit of toRunUnits(this.html, items, isPreformatted)) this.runs.push(unit);
      if (this.runs.length + this.attributes.length > most) return;
      yield;
    }
  }

  onCharacter({ chars, location }: Token.CharacterToken): void {
    if (this.isDoubtful || !this.elements.current.isTranslated || !location) return;
    if (this.textStart < 0) this.textStart = location.startOffset;
    this.text += chars;
    this.textEnd = location.endOffset;
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token);
  }

  onNullCharacter({ location }: Token.CharacterToken): void {
    this.onCharacter({ chars: '', location } as Token.CharacterToken);
  }

  onComment({ data, location }: Token.CommentToken): void {
    // Parsers do not agree where HTML within SVG and MathML may have it.
    if (this.elements.isInForeign && data.startsWith('[CDATA[')) this.endBeforeDoubt();
    if (location) this.addSingle(toSpan(location), 'none', true);
  }

  onDoctype(): void {
    this.endRun();
  }

  onEof(): void {
    this.endRun();
  }

  onStartTag(token: Token.TagToken): void {
    const { tagName: name, location, selfClosing } = token;
    if (!location || this.isDoubtful) return;
    this.endText();
    if (this.elements.isStartDoubtful(name)) {
      this.endBeforeDoubt();
      return;
    }
    const depth = this.elements.depth;
    this.elements.endImplied(name);
    if (this.elements.depth < depth) this.endRun();
    const parent = this.elements.current;
    const element = this.elements.toElement(name, traitsOf(token.attrs));
    if (element.isTranslated || (parent.isTranslated && isRead(name, token.attrs))) this.addAttributes(token);
    if (element.isBlock || (element.isTranslated && !parent.isTranslated)) this.endRun();
    const span = toSpan(location);
    const isVoid = parent.isForeign || element.isForeign ? selfClosing : VOID.has(name);
    if (isVoid) {
      if (parent.isTranslated && !element.isBlock) {
        this.addSingle(span, name === 'br' ? 'break' : name === 'wbr' ? 'none' : 'visible', TRIMMED.has(name));
      }
      return;
    }
    if (parent.isTranslated && !element.isBlock) {
      if (element.isTranslated) this.add({ kind: 'start', name, start: span.start, end: span.end });
      else this.kept = { start: span.start, depth: this.elements.depth };
    }
    this.elements.push(element);
    const mode = element.isForeign || parent.isForeign ? undefined : TEXT_MODES[name];
    if (mode !== undefined) this.tokenizer.state = TokenizerMode[mode];
    this.tokenizer.inForeignNode = element.isForeign;
  }

  onEndTag({ tagName: name, location }: Token.TagToken): void {
    if (!location || this.isDoubtful) return;
    this.endText();
    if (this.elements.isEndDoubtful(name)) {
      this.endBeforeDoubt();
      return;
    }
    const span = toSpan(location);
    const wasTranslated = this.elements.current.isTranslated;
    if (BLOCKS.has(name) && this.elements.current.namespace === 'html') this.endRun();
    this.elements.end(name);
    this.tokenizer.inForeignNode = this.elements.current.isForeign;
    const { isTranslated } = this.elements.current;
    if (wasTranslated && !isTranslated) this.endRun();
    if (wasTranslated && isTranslated && !BLOCKS.has(name))
      this.add({ kind: 'end', name, start: span.start, end: span.end });
    if (wasTranslated || !isTranslated) return;
    const { kept } = this;
    this.kept = undefined;
    // What is not translated ends with its own end tag, or else it is a place where nothing is joined.
    if (kept?.depth === this.elements.depth) {
      this.addSingle({ start: kept.start, end: span.end }, 'visible', false);
    } else this.endRun();
  }

  private addSingle(span: TextSpan, space: 'break' | 'none' | 'visible', trimmed: boolean): void {
    if (this.isDoubtful || !this.elements.current.isTranslated) return;
    this.endText();
    this.add({ kind: 'single', space, isTrimmed: trimmed, start: span.start, end: span.end });
  }

  private addAttributes({ tagName, attrs, location }: Token.TagToken): void {
    if (NOT_READ.has(tagName)) return;
    for (const { name, value } of attrs) {
      const place = TRANSLATED_ATTRIBUTES.has(name) && LETTER.test(value) ? location?.attrs?.[name] : undefined;
      const located = place && locateValue(this.html, name, value, toSpan(place));
      if (located) this.attributes.push(located);
    }
  }

  private endBeforeDoubt(): void {
    if (!this.isDoubtful) this.endRun();
    this.isDoubtful = true;
  }

  private endText(): void {
    if (this.textStart < 0) return;
    const [text, start] = [this.text, this.textStart];
    this.text = '';
    this.textStart = -1;
    this.add({ kind: 'text', text, start, end: this.textEnd });
  }

  private add(item: RunItem): void {
    this.run.push(item);
    if (this.run.length >= MOST_ITEMS) this.endRun();
  }

  private endRun(): void {
    this.endText();
    this.kept = undefined;
    if (this.run.length === 0) return;
    const isPreformatted = this.elements.current.name === 'textarea';
    this.ended.push({ items: this.run, isPreformatted });
    this.run = [];
  }
}

function toSpan({ startOffset, endOffset }: { startOffset: number; endOffset: number }): TextSpan {
  return { start: startOffset, end: endOffset };
}

type Attributes = Token.TagToken['attrs'];

function traitsOf(attributes: Attributes): ElementTraits {
  const encoding = attributes.find(({ name }) => name === 'encoding')?.value.toLowerCase() ?? '';
  return { translate: translateOf(attributes), hasHtml: HTML_ENCODINGS.has(encoding) };
}

/** What the attributes of an element say about its translation; undefined: nothing. */
function translateOf(attributes: Attributes): boolean | undefined {
  let says: boolean | undefined;
  for (const { name, value } of attributes) {
    if (name === 'class' && /(?:^|\s)notranslate(?:\s|$)/.test(value)) return false;
    if (name !== 'translate') continue;
    const written = value.toLowerCase();
    if (written === 'no') return false;
    if (written === 'yes' || written === '') says = true;
  }
  return says;
}

/** Whether people read the attributes of an element whose content is not translated, as of a frame. */
function isRead(name: string, attributes: Attributes): boolean {
  return name === 'iframe' && translateOf(attributes) !== false;
}
