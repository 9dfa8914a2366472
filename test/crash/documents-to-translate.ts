import { Document, Packer, Paragraph, TextRun } from 'docx';

/** Texts of each document: ten batches. */
export const UNITS = 1_000;

const WORDS = ['house', 'river', 'table', 'window', 'garden', 'bridge', 'mountain', 'letter', 'summer', 'winter'];
const MARKER = /⟦[^⟧]*⟧/g;

/** A document that is translated, with sentences of which no two are equal, in their order. */
export interface DocumentToTranslate {
  readonly filename: string;
  readonly bytes: Uint8Array;
}

/** A Word document with a bold word in each paragraph, a text of Markdown and a catalog of messages. */
export async function documentsToTranslate(): Promise<readonly DocumentToTranslate[]> {
  const sentences = Array.from({ length: UNITS }, (_, index) => wordsOf(index));
  const text = (parts: readonly string[]) => parts.join('');
  const entries = sentences.map((parts) => `msgid ${JSON.stringify(text(parts))}\nmsgstr ""\n`);
  return [
    { filename: 'crash.docx', bytes: await wordDocument(sentences) },
    { filename: 'crash.md', bytes: Buffer.from(sentences.map(([a, b, c]) => `${a}*${b}*${c}\n`).join('\n')) },
    { filename: 'crash.po', bytes: Buffer.from(entries.join('\n')) },
  ];
}

/** Which sentence of a document a model was shown, from 0; undefined where it is none. */
export function sentenceIndex(shown: string): number | undefined {
  return INDEXES.get(shown.replaceAll(MARKER, '').trim());
}

function wordDocument(sentences: readonly (readonly string[])[]): Promise<Buffer> {
  const children = sentences.map(
    (parts) => new Paragraph({ children: parts.map((text, index) => new TextRun({ text, bold: index === 1 })) }),
  );
  return Packer.toBuffer(new Document({ sections: [{ children }] }));
}

/** A sentence in three parts, of which the one in the middle looks different where a format has such a thing. */
function wordsOf(index: number): string[] {
  const word = (power: number): string => WORDS[Math.floor(index / power) % WORDS.length] ?? '';
  return ['The ', word(1), ` stands before the ${word(10)} and behind the ${word(100)}.`];
}

const INDEXES: ReadonlyMap<string, number> = new Map(
  Array.from({ length: UNITS }, (_, index) => [wordsOf(index).join(''), index]),
);
