import type { DocumentEdit, Replacement } from '../formats/document-format.js';
import { hasLetters, plainText } from '../formats/inline-parts.js';
import { toMarkedText, toPieces } from '../formats/marked-text.js';
import type { MarkedPiece } from '../formats/marked-text.js';
import { textFormat } from '../formats/splices.js';
import type { Splice } from '../formats/splices.js';
import { contentPieces, withAttribute, writeContent } from './xml-texts.js';
import type { PlacedToken } from './xml-texts.js';
import { XliffReader } from './xliff-reader.js';
import type { XliffSegment } from './xliff-reader.js';

/** Elements whose content is translated; that of others stands for codes of the document that the file was made of. */
const SPANS: ReadonlySet<string> = new Set(['g', 'mrk', 'pc']);
const LINE_BREAK = /(\r\n|\r|\n|\t)/;

/** What a target that a person should look at is called, and one that is proven (XLIFF 1.2, 3.1; 2.1, 4.3.1.29). */
const STATES = {
  target: { trusted: 'translated', other: 'needs-translation' },
  segment: { trusted: 'translated', other: 'initial' },
};

/**
 * XLIFF 1.2 and 2: each `<target>` is written from its `<source>`, unless the file is of the target language and has one
 * that is final. Ids, notes, codes and what has `translate="no"` are what they were.
 */
export const xliff = textFormat(async function* readXliff(text, edit) {
  for (const found of new XliffReader(text, edit.targetLanguage).read()) {
    if (found.kind === 'language')
      yield* replaced(found.tag, withAttribute(found.tag.raw, found.attribute, edit.targetLanguage));
    else yield* segmentSplices(text, found, edit);
  }
});

function* replaced({ start, end, raw }: PlacedToken, text: string): Generator<Splice, void, undefined> {
  if (text !== raw) yield { start, end, text };
}

async function* segmentSplices(
  text: string,
  segment: XliffSegment,
  edit: DocumentEdit,
): AsyncGenerator<Splice, void, undefined> {
  const { element, source, target, version } = segment;
  const marked = toMarkedText(contentPieces(source.content, { isKept, textPieces }));
  const isText = hasLetters(plainText(marked.unit));
  const replacement: Replacement | undefined = isText
    ? await edit.replace(marked.unit)
    : { text: marked.unit, isTrusted: true };
  if (!edit.isWriting || !replacement) return;
  const pieces = toPieces(replacement.text, marked);
  if (!pieces) {
    edit.warn();
    return;
  }
  const stateOf = ({ trusted, other }: typeof STATES.target) => (replacement.isTrusted ? trusted : other);
  if (version === 2) yield* replaced(element, withAttribute(element.raw, 'state', stateOf(STATES.segment)));
  const open = (target?.open.raw ?? source.open.raw.replace(/source\b[^]*/, 'target>')).replace(/(?<!\s)\s*\/>$/, '>');
  const tag =
    version === 2
      ? open
      : withAttribute(withAttribute(open, 'state-qualifier', undefined), 'state', stateOf(STATES.target));
  const written = `${tag}${writeContent(pieces, source.content)}</${source.open.qualifiedName.replace(/source$/, 'target')}>`;
  if (target) yield { start: target.open.start, end: target.end, text: written };
  else {
    const indent = /(?:\r\n|\r|\n)[ \t]*$/.exec(text.slice(Math.max(0, source.open.start - 200), source.open.start));
    yield { start: segment.insertAt, end: segment.insertAt, text: (indent?.[0] ?? '') + written };
  }
}

function isKept({ name, attributes }: PlacedToken): boolean {
  return !SPANS.has(name) || attributes['translate'] === 'no' || attributes['mtype'] === 'protected';
}

function textPieces(text: string): MarkedPiece[] {
  return text
    .split(LINE_BREAK)
    .map((part, index) => (index % 2 === 0 ? { kind: 'text', text: part } : { kind: 'single', raw: part }));
}
