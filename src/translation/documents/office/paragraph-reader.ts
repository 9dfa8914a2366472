import { decodeXML } from 'entities';
import type { Atom, FieldAtom, RunFormat } from './atoms.js';
import { GROUPS, HIDDEN, HIDDEN_ENDS, READ_AS } from './dialect.js';
import type { Dialect } from './dialect.js';
import { attributeOf } from './xml-tokenizer.js';
import type { XmlToken } from './xml-tokenizer.js';

/** An element that is open in a paragraph. */
interface Frame {
  /** `content` is the element of a `group` in which its content stands; `whole` is one atom, or none. */
  readonly kind: 'group' | 'content' | 'run' | 'properties' | 'text' | 'whole';
  readonly token: XmlToken;
  /** The index of its tag. */
  readonly start: number;
  /** Of a group, or of a text. */
  readonly children: Atom[];
  contentStart: number;
  contentEnd: number | undefined;
  /** How many elements are open in what is read as a whole. */
  depth: number;
}

const LINE_BREAK = /(\r\n|\r|\n|&#(?:x0*[ad]|0*1[03]);)/i;

/** Reads the tokens of a paragraph, from its first tag to its last one, into what it is made of. */
export class ParagraphReader {
  /** Joined, they are the paragraph. */
  readonly pieces: string[] = [];
  readonly atoms: Atom[] = [];
  private readonly dialect: Dialect;
  private readonly frames: Frame[] = [];
  private run: RunFormat | undefined;

  constructor(dialect: Dialect, begin: XmlToken) {
    this.dialect = dialect;
    this.pieces.push(begin.raw);
  }

  /** Whether the next token that closes an element closes the paragraph. */
  get isAtEnd(): boolean {
    return this.frames.length === 0;
  }

  /** A paragraph in a text box of this one, as it is to be written, or the last tag. */
  addRaw(raw: string): void {
    this.pieces.push(raw);
  }

  /** A token between the first tag and the last one. */
  add(token: XmlToken): void {
    const frame = this.frames.at(-1);
    if (token.kind === 'open') this.open(token, frame);
    else if (token.kind === 'close') this.close(token, frame);
    else if (token.kind === 'text' && this.isText(frame)) this.addText(token, frame);
    else this.pieces.push(token.raw);
  }

  private open(token: XmlToken, frame: Frame | undefined): void {
    const start = this.pieces.length;
    this.pieces.push(token.raw);
    if (frame?.kind === 'whole' || frame?.kind === 'properties') {
      frame.depth += 1;
      return;
    }
    const kind = kindOf(token, frame);
    if (kind === 'run')
      this.run = { open: token.raw, properties: '', close: `</${token.qualifiedName}>`, start, end: 0 };
    this.frames.push({ kind, token, start, children: [], contentStart: start + 1, contentEnd: undefined, depth: 0 });
  }

  private close(token: XmlToken, frame: Frame | undefined): void {
    this.pieces.push(token.raw);
    if (!frame) return;
    if (frame.depth > 0) {
      frame.depth -= 1;
      return;
    }
    this.frames.pop();
    const end = this.pieces.length;
    if (frame.kind === 'whole') this.endWhole(frame, end);
    else if (frame.kind === 'text') this.endText(frame, end);
    else if (frame.kind === 'group') this.endGroup(frame, end);
    else if (frame.kind === 'content') {
      const group = this.frames.at(-1) as Frame;
      group.contentStart = frame.start + 1;
      group.contentEnd = end - 1;
    } else if (this.run && frame.kind === 'properties') this.run.properties = this.raw(frame.start, end);
    else if (this.run && frame.kind === 'run') {
      this.run.end = end;
      this.run = undefined;
    }
  }

  /** Where the atoms belong that are read now. */
  private get siblings(): Atom[] {
    return this.frames.findLast(({ kind }) => kind === 'group')?.children ?? this.atoms;
  }

  private isText(frame: Frame | undefined): boolean {
    return frame ? frame.kind === 'text' : this.dialect.hasDirectText;
  }

  private addText({ raw, text }: XmlToken, frame: Frame | undefined): void {
    const { run } = this;
    const isSection = raw.startsWith('<![CDATA[');
    const close = frame ? `</${frame.token.qualifiedName}>` : '';
    const atoms = frame?.children ?? this.siblings;
    const lines = isSection || !this.dialect.keepsLines ? [raw] : raw.split(LINE_BREAK);
    for (const [index, line] of lines.entries()) {
      if (line === '') continue;
      const piece = this.pieces.length;
      this.pieces.push(line);
      const span = { start: piece, end: piece + 1, run };
      if (index % 2 === 0) {
        const characters = isSection ? text : decodeXML(line);
        atoms.push({ kind: 'text', text: characters, piece, tag: frame?.start, close, ...span });
      } else {
        const element = run && frame && `<${frame.token.qualifiedName} xml:space="preserve">${line}${close}`;
        atoms.push({ kind: 'single', isLineBreak: true, raw: element ?? line, ...span });
      }
    }
  }

  /** What is moved out of a run takes its element along. */
  private endText({ start, children }: Frame, end: number): void {
    for (const [index, atom] of children.entries()) {
      const isLast = index === children.length - 1;
      const span = { start: index === 0 ? start : atom.start, end: isLast ? end : atom.end };
      this.siblings.push(this.run ? { ...atom, ...span } : atom);
    }
  }

  private endWhole({ token, start }: Frame, end: number): void {
    const { name } = token;
    const parent = this.frames.at(-1);
    if (parent?.kind === 'group' && name.endsWith('Pr')) {
      if (parent.children.length === 0 && parent.contentEnd === undefined) parent.contentStart = end;
      return;
    }
    // Nothing may stand in a text, or in a control beside its content.
    if (parent?.kind === 'text' || (parent?.kind === 'group' && parent.contentEnd !== undefined)) return;
    const span = { start, end, run: this.run };
    const role = roleOf(token);
    if (role) {
      const code = role === 'code' ? decodeXML(this.raw(start + 1, end - 1)) : '';
      this.siblings.push({ kind: 'field', role, code, ...span });
    } else if (HIDDEN.has(name)) this.siblings.push({ kind: 'hidden', isEnd: HIDDEN_ENDS.has(name), ...span });
    else this.siblings.push({ kind: 'single', reads: READ_AS.get(name), ...span });
  }

  private endGroup({ start, children, contentStart, contentEnd }: Frame, end: number): void {
    const open = this.raw(start, contentStart);
    const close = this.raw(contentEnd ?? end - 1, end);
    this.siblings.push({ kind: 'group', open, close, start, end, children });
  }

  private raw(start: number, end: number): string {
    return this.pieces.slice(start, end).join('');
  }
}

function kindOf(token: XmlToken, frame: Frame | undefined): Frame['kind'] {
  const { name } = token;
  if (frame?.kind === 'run') return name === 'rPr' ? 'properties' : name === 't' ? 'text' : 'whole';
  if (frame?.kind === 'text') return 'whole';
  if (name === 'r') return 'run';
  if (name === 't') return 'text';
  if (name === 'sdtContent' && frame?.token.name === 'sdt') return 'content';
  return isGroup(token) ? 'group' : 'whole';
}

function isGroup(token: XmlToken): boolean {
  if (token.name === 'fldSimple') return isLinkCode(attributeOf(token, 'instr') ?? '');
  return GROUPS.has(token.name);
}

/** Whether a field's result is text that people have written. Results of others are numbers, dates, or made anew. */
export function isLinkCode(code: string): boolean {
  return /^\s*(?:HYPERLINK|TOC)\b/i.test(code);
}

function roleOf(token: XmlToken): FieldAtom['role'] | undefined {
  if (token.name === 'instrText' || token.name === 'delInstrText') return 'code';
  const type = token.name === 'fldChar' ? attributeOf(token, 'fldCharType') : undefined;
  return type === 'begin' || type === 'separate' || type === 'end' ? type : undefined;
}
