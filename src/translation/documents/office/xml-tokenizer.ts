import { SaxesParser } from 'saxes';
import { ExtractionFailed } from '../../../platform/extraction/extraction-failed.js';
import { LIMITS } from '../../../platform/extraction/limits.js';

/** A stretch of an XML file. The stretches of all tokens, one behind another, are the file. */
export interface XmlToken {
  /** An empty element is an `open` token and a `close` token without characters. `other` is a comment or an instruction. */
  readonly kind: 'open' | 'close' | 'text' | 'other';
  /** As it stands in the file. */
  readonly raw: string;
  /** Of a text, without references. */
  readonly text: string;
  /** Of an element, without its prefix. */
  readonly name: string;
  /** Of an element, as it is written. */
  readonly qualifiedName: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const NO_ATTRIBUTES = {};
const ENCODINGS = /^(?:utf-?8|utf-?16(?:le|be)?|us-ascii)$/i;

/** The value of an attribute by its name without a prefix. */
export function attributeOf({ attributes }: XmlToken, name: string): string | undefined {
  for (const [key, value] of Object.entries(attributes)) if (key === name || key.endsWith(`:${name}`)) return value;
  return undefined;
}

/**
 * Cuts an XML file into its tokens as it comes. Document types are refused, and with them all entities but XML's own five.
 * What is not well-formed, such as a second root, is refused too.
 */
export class XmlTokenizer {
  private readonly parser = new SaxesParser<{ position: true; xmlns: false }>({ position: true, xmlns: false });
  private tokens: XmlToken[] = [];
  /** What was written and is not in a token yet, and where it begins. */
  private pending = '';
  private start = 0;
  private text = '';
  private depth = 0;
  /** A comment is told before its last character was read. */
  private isCommentOpen = false;

  constructor() {
    const { parser } = this;
    parser.on('error', () => {
      throw new ExtractionFailed('malformed');
    });
    parser.on('doctype', () => {
      throw new ExtractionFailed('bomb');
    });
    parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
      if (!ENCODINGS.test(encoding)) throw new ExtractionFailed('malformed');
      this.add('other', '', NO_ATTRIBUTES);
    });
    parser.on('text', (text) => {
      this.text += text;
    });
    parser.on('opentag', ({ name, attributes }) => {
      this.depth += 1;
      if (this.depth > LIMITS.xmlDepth) throw new ExtractionFailed('bomb');
      this.add('open', name, attributes);
    });
    parser.on('closetag', ({ name }) => {
      this.depth -= 1;
      this.add('close', name, NO_ATTRIBUTES);
    });
    parser.on('cdata', (text) => this.addText(text));
    parser.on('processinginstruction', () => this.add('other', '', NO_ATTRIBUTES));
    parser.on('comment', () => {
      this.add('other', '', NO_ATTRIBUTES);
      this.isCommentOpen = true;
    });
  }

  /** @returns the tokens that are whole. @throws ExtractionFailed malformed or bomb */
  write(text: string): XmlToken[] {
    this.pending += text;
    if (this.pending.length > LIMITS.characters) throw new ExtractionFailed('too_large');
    this.parser.write(text);
    return this.take();
  }

  /** The last tokens. @throws ExtractionFailed malformed where the file is not whole */
  end(): XmlToken[] {
    this.parser.close();
    const rest = this.closeComment(this.pending);
    if (rest !== '') this.tokens.push(textToken(rest, ''));
    return this.take();
  }

  private take(): XmlToken[] {
    const { tokens } = this;
    this.tokens = [];
    return tokens;
  }

  private add(kind: XmlToken['kind'], qualifiedName: string, attributes: Readonly<Record<string, string>>): void {
    const raw = this.markup();
    const name = qualifiedName.slice(qualifiedName.indexOf(':') + 1);
    this.tokens.push({ kind, raw, text: '', name, qualifiedName, attributes });
  }

  /** A section of CDATA is a text. */
  private addText(text: string): void {
    const raw = this.markup();
    this.tokens.push(textToken(raw, text));
  }

  /** The markup that ends here; the text before it becomes a token. */
  private markup(): string {
    const length = this.parser.position - this.start;
    const raw = this.closeComment(this.pending.slice(0, length));
    this.pending = this.pending.slice(length);
    this.start += length;
    const begin = raw === '' ? 0 : raw.indexOf('<');
    if (begin > 0) this.tokens.push(textToken(raw.slice(0, begin), this.text));
    this.text = '';
    return raw.slice(begin);
  }

  private closeComment(raw: string): string {
    if (!this.isCommentOpen) return raw;
    this.isCommentOpen = false;
    this.tokens.push({ ...textToken(raw.slice(0, 1), ''), kind: 'other' });
    return raw.slice(1);
  }
}

function textToken(raw: string, text: string): XmlToken {
  return { kind: 'text', raw, text, name: '', qualifiedName: '', attributes: NO_ATTRIBUTES };
}
