import { ExtractionFailed } from '../../../platform/extraction/extraction-failed.js';
import { isSameInlineText } from '../../units/same-marks.js';
import type { DocumentEdit } from '../formats/document-format.js';
import type { Dialect } from './dialect.js';
import { foldFields } from './fold-fields.js';
import { ParagraphReader } from './paragraph-reader.js';
import { isFixed, segmentUnits } from './segment-unit.js';
import { writeSegment } from './write-segment.js';
import type { XmlToken } from './xml-tokenizer.js';
import { XmlTokenizer } from './xml-tokenizer.js';

/** Pieces of one paragraph, with what lies in its text boxes. */
const MOST_PIECES = 1_000_000;

/** Of a part of an office file. */
export interface XmlRewriting {
  readonly dialect: Dialect;
  readonly edit: DocumentEdit;
  /** Texts that are left as they are. */
  readonly fixed: ReadonlySet<string>;
}

/**
 * Replaces the texts of an XML file as it comes: a paragraph is all that is kept of it.
 * @throws ExtractionFailed malformed, bomb or too_large
 */
export async function* rewriteXml(
  chunks: AsyncIterable<Uint8Array>,
  rewriting: XmlRewriting,
): AsyncGenerator<Buffer, void, undefined> {
  const tokenizer = new XmlTokenizer();
  const writer = new PartWriter(rewriting);
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true, ignoreBOM: true });
    yield encode(await writer.write(tokenizer.write(decode(decoder, chunk))), decoder.encoding);
  }
  if (!decoder) return;
  const rest = tokenizer.write(decode(decoder));
  yield encode(await writer.write([...rest, ...tokenizer.end()]), decoder.encoding);
}

class PartWriter {
  private readonly rewriting: XmlRewriting;
  private readonly open: ParagraphReader[] = [];

  constructor(rewriting: XmlRewriting) {
    this.rewriting = rewriting;
  }

  /** @returns what these tokens are in the new file, as far as their paragraphs are whole */
  async write(tokens: readonly XmlToken[]): Promise<string> {
    const { dialect } = this.rewriting;
    let written = '';
    for (const token of tokens) {
      const isParagraph = dialect.paragraphs.has(token.name);
      const reader = this.open.at(-1);
      if (isParagraph && token.kind === 'open') this.open.push(new ParagraphReader(dialect, token));
      else if (!reader) written += token.raw;
      else if (isParagraph && token.kind === 'close' && reader.isAtEnd) {
        this.open.pop();
        reader.addRaw(token.raw);
        const raw = await this.finish(reader);
        const outer = this.open.at(-1);
        if (outer) outer.addRaw(raw);
        else written += raw;
      } else {
        reader.add(token);
        if (reader.pieces.length > MOST_PIECES) throw new ExtractionFailed('too_large');
      }
    }
    return written;
  }

  private async finish({ atoms, pieces }: ParagraphReader): Promise<string> {
    const { dialect, edit, fixed } = this.rewriting;
    // What is written into one segment does not change what is read of the next one.
    for (const segment of segmentUnits(foldFields(atoms, pieces))) {
      if (isFixed(segment, fixed)) continue;
      const replacement = await edit.replace(segment.unit);
      if (!replacement || isSameInlineText(replacement.text, segment.unit)) continue;
      if (!writeSegment(segment, replacement.text, pieces, dialect)) edit.warn();
    }
    return pieces.join('');
  }
}

/** The office formats allow UTF-16, too. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw new ExtractionFailed('malformed');
  }
}

function encode(text: string, encoding: string): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  const bytes = Buffer.from(text, 'utf16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}
