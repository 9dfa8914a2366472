import { Tokenizer } from 'htmlparser2';
import type { TokenizerCallbacks } from 'htmlparser2';
import { BlockText } from './block-text.js';
import { lineOf } from './clean-text.js';
import { BLOCKS, INVISIBLE, VOID } from './elements.js';
import { isHiddenBy } from './hidden-style.js';
import { quotesByConvention } from './quoting.js';
import { PAGE_LIMITS } from './web-page.types.js';

/** The longest value of an attribute that is looked at, in UTF-16 units. */
const VALUE_CHARACTERS = 2_000;
/** The attributes that may hide an element, or say that it quotes. */
const LOOKED_AT = new Set(['hidden', 'aria-hidden', 'style', 'role', 'class']);
/** The next one of the same name ends them. */
const ENDED_BY_NEXT = new Set('p li dd dt tr td th option'.split(' '));

/**
 * The text of a page without a tree of its elements: in time and memory in proportion to its length, however its elements
 * lie in one another.
 */
export function readPlainPage(html: string): { title: string; text: string } {
  const page = new PlainPage(html);
  const tokenizer = new Tokenizer({ decodeEntities: true }, page);
  tokenizer.write(html);
  tokenizer.end();
  return { title: lineOf(page.title, PAGE_LIMITS.titleCharacters), text: page.text.toString() };
}

/** Takes the tokens of a page; places are those of its text. */
class PlainPage implements TokenizerCallbacks {
  readonly text = new BlockText();
  title = '';
  private readonly html: string;
  private isTitle = false;
  private name = '';
  private attributes = new Map<string, string>();
  private attribute = '';
  /** The invisible element that is open, and how many of its name. */
  private hidden: { readonly name: string; count: number } | undefined;
  /** Of each inline quotation that is open, the blocks that have begun in it. */
  private readonly quotes: number[] = [];
  /** Their sum. */
  private quotedBlocks = 0;
  /** The outermost element that is open and quotes by convention, and how many of its name. */
  private quoting: { readonly name: string; count: number } | undefined;

  constructor(html: string) {
    this.html = html;
  }

  ontext(start: number, end: number): void {
    this.addText(this.html.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    this.addText(String.fromCodePoint(codepoint));
  }

  onopentagname(start: number, end: number): void {
    // A name that is longer is none that is known.
    this.name = this.html.slice(start, Math.min(end, start + 32)).toLowerCase();
    this.attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.html.slice(start, Math.min(end, start + 32)).toLowerCase();
    if (LOOKED_AT.has(this.attribute)) this.attributes.set(this.attribute, '');
  }

  onattribdata(start: number, end: number): void {
    this.addValue(this.html.slice(start, Math.min(end, start + VALUE_CHARACTERS)));
  }

  onattribentity(codepoint: number): void {
    this.addValue(String.fromCodePoint(codepoint));
  }

  onattribend(): void {
    this.attribute = '';
  }

  onopentagend(): void {
    const { name, hidden } = this;
    if (name === 'title' && this.title === '') this.isTitle = true;
    if (name === 'td' || name === 'th') this.text.add(' ');
    if (BLOCKS.has(name)) {
      this.text.break();
      if (!hidden && !VOID.has(name)) this.countBlock(1);
    }
    if (hidden?.name === name) {
      if (ENDED_BY_NEXT.has(name)) this.hidden = undefined;
      else hidden.count += 1;
    }
    if (this.hidden || VOID.has(name)) return;
    if (this.quoting?.name === name) this.quoting.count += 1;
    if (INVISIBLE.has(name) || isHiddenBy((attribute) => this.attributes.get(attribute))) {
      this.hidden = { name, count: 1 };
    } else if (name === 'blockquote') this.text.quote(true);
    else if (name === 'q') {
      this.quotes.push(0);
      this.text.add('“');
    } else if (!this.quoting && quotesByConvention((attribute) => this.attributes.get(attribute))) {
      this.quoting = { name, count: 1 };
      this.text.quote(true);
    }
  }

  onselfclosingtag(): void {
    this.onopentagend();
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, Math.min(end, start + 32)).toLowerCase();
    const { hidden } = this;
    if (name === 'title') this.isTitle = false;
    if (hidden?.name === name && (hidden.count -= 1) === 0) this.hidden = undefined;
    if (hidden) return;
    if (name === 'td' || name === 'th') this.text.add(' | ');
    if (name === 'blockquote') this.text.quote(false);
    else if (name === 'q') {
      this.endQuote();
      this.text.add('”');
    } else if (BLOCKS.has(name)) this.text.break();
    if (BLOCKS.has(name)) this.countBlock(-1);
    if (this.quoting?.name === name && (this.quoting.count -= 1) === 0) {
      this.quoting = undefined;
      this.text.quote(false);
    }
  }

  oncdata(): void {}

  oncomment(): void {}

  ondeclaration(): void {}

  onprocessinginstruction(): void {}

  onend(): void {}

  private addText(text: string): void {
    if (this.isTitle && this.title.length < 2_000) this.title += text.slice(0, 2_000);
    if (!this.hidden) this.text.add(text);
  }

  /** A block begins or ends within the innermost quotation, or ends with what that is in. */
  private countBlock(change: 1 | -1): void {
    const last = this.quotes.length - 1;
    const blocks = this.quotes[last];
    if (blocks === undefined) return;
    if (blocks + change < 0) {
      this.endQuote();
      return;
    }
    this.quotes[last] = blocks + change;
    this.quotedBlocks += change;
    this.text.isInQuote = this.quotedBlocks > 0;
  }

  private endQuote(): void {
    this.quotedBlocks -= this.quotes.pop() ?? 0;
    this.text.isInQuote = this.quotedBlocks > 0;
  }

  private addValue(text: string): void {
    const value = this.attributes.get(this.attribute);
    if (value !== undefined && value.length < VALUE_CHARACTERS) this.attributes.set(this.attribute, value + text);
  }
}
