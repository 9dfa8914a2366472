import { ExtractionFailed } from '../../../platform/extraction/extraction-failed.js';
import { escapeXml } from '../office/escape-xml.js';
import { XmlTokenizer } from '../office/xml-tokenizer.js';
import type { XmlToken } from '../office/xml-tokenizer.js';
import type { MarkedPiece } from '../formats/marked-text.js';

/** So much is read at once, in UTF-16 units. */
const CHUNK = 64 * 1024;
/** Tokens, line breaks and tabs of one text. */
const MOST_PIECES = 10_000;
const CDATA = '<![CDATA[';

/** A token with its place in the text. */
export interface PlacedToken extends XmlToken {
  readonly start: number;
  readonly end: number;
}

/** The tokens of a text that is XML. @throws ExtractionFailed malformed or bomb */
export function* placedTokens(text: string): Generator<PlacedToken, void, undefined> {
  const tokenizer = new XmlTokenizer();
  let start = 0;
  const placed = (token: XmlToken): PlacedToken => {
    const end = start + token.raw.length;
    const own = { ...token, start, end };
    start = end;
    return own;
  };
  for (let at = 0; at < text.length; at += CHUNK)
    for (const token of tokenizer.write(text.slice(at, at + CHUNK))) yield placed(token);
  for (const token of tokenizer.end()) yield placed(token);
}

/** Collects what an element holds. */
export class ElementContent {
  readonly tokens: PlacedToken[] = [];
  private depth = 0;

  /** @returns whether the element ended with this token, which is not part of its content */
  add(token: PlacedToken): boolean {
    if (token.kind === 'close' && this.depth === 0) return true;
    if (token.kind === 'open') this.depth += 1;
    if (token.kind === 'close') this.depth -= 1;
    // An element without content is two tokens, of which the second has no characters.
    if (this.tokens.push(token) > MOST_PIECES) throw new ExtractionFailed('too_large');
    return false;
  }
}

/** How the content of an element is read. */
export interface ContentReading {
  /** Whether an element stays as it is, with all that it holds. */
  isKept(element: PlacedToken): boolean;
  /** The characters of a text as pieces. */
  textPieces(text: string): MarkedPiece[];
}

/** Content as text and markup. @throws ExtractionFailed too_large */
export function contentPieces(tokens: readonly PlacedToken[], reading: ContentReading): MarkedPiece[] {
  const pieces: MarkedPiece[] = [];
  let kept: { raw: string; depth: number } | undefined;
  for (const [index, token] of tokens.entries()) {
    if (kept) {
      kept.raw += token.raw;
      if (token.kind === 'open') kept.depth += 1;
      if (token.kind === 'close') kept.depth -= 1;
      if (kept.depth > 0) continue;
      pieces.push({ kind: 'single', raw: kept.raw });
      kept = undefined;
    } else if (token.kind === 'text') for (const piece of reading.textPieces(token.text)) pieces.push(piece);
    else if (token.kind === 'other') addOther(pieces, token.raw);
    else if (token.kind === 'close') pieces.push({ kind: 'close', raw: token.raw });
    else if (tokens[index + 1]?.raw === '' || reading.isKept(token)) kept = { raw: token.raw, depth: 1 };
    else pieces.push({ kind: 'open', raw: token.raw });
  }
  if (pieces.length > MOST_PIECES) throw new ExtractionFailed('too_large');
  return pieces;
}

/** A comment is two tokens, of which the second is its last character. */
function addOther(pieces: MarkedPiece[], raw: string): void {
  const last = pieces.at(-1);
  const isOpen = last?.kind === 'single' && last.raw.startsWith('<!--') && !last.raw.endsWith('-->');
  if (isOpen) pieces[pieces.length - 1] = { kind: 'single', raw: last.raw + raw };
  else pieces.push({ kind: 'single', raw });
}

/** Pieces as XML, a section of CDATA where the content was one. @param escape what else a text needs */
export function writeContent(
  pieces: readonly MarkedPiece[],
  content: readonly PlacedToken[],
  escape: (text: string) => string = (text) => text,
): string {
  const isCdata = content.every(({ kind, raw }) => kind === 'text' && (raw.startsWith(CDATA) || raw.trim() === ''));
  const section = isCdata ? content.find(({ raw }) => raw.startsWith(CDATA)) : undefined;
  const toXml = section ? (text: string) => text.replaceAll(']]>', ']]&gt;') : escapeXml;
  const written = pieces.map((piece) => (piece.kind === 'text' ? toXml(escape(piece.text)) : piece.raw)).join('');
  return section ? `${CDATA}${written}]]>` : written;
}

/** An opening tag with another value of an attribute, or with one more. @param value undefined: without it */
export function withAttribute(tag: string, name: string, value: string | undefined): string {
  const written = value === undefined ? '' : ` ${name}="${escapeXml(value)}"`;
  let isThere = false;
  const changed = tag.replaceAll(/(?<!\s)\s+([^\s=<>/]+)\s*=\s*(?:"[^"]*"|'[^']*')/g, (own, ownName: string) => {
    if (ownName !== name) return own;
    isThere = true;
    return written;
  });
  return isThere ? changed : tag.replace(/(?<!\s)\s*\/?>$/, (end) => written + end);
}
