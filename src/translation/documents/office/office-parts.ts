import { toHead } from './segment-unit.js';
import type { OfficePackage } from '../../../platform/extraction/office/office-package.js';
import type { Dialect } from './dialect.js';
import { DRAWING, SHEET, SLIDE_COMMENTS, THREADED_COMMENTS, WORD } from './dialect.js';

/** The parts of an office file whose texts are replaced. */
export interface OfficeParts {
  /** By their names. */
  readonly dialects: ReadonlyMap<string, Dialect>;
  /** Those of them, sheets, that have texts only where they say so: they are looked at before they are read. */
  readonly sheets: ReadonlySet<string>;
  /** Texts that name something else in the file. */
  readonly fixed: ReadonlySet<string>;
}

/** A kind of relationship between parts, and what it leads to. */
type Targets = Readonly<Record<string, Dialect>>;

const OF_DOCUMENT: Targets = {
  header: WORD,
  footer: WORD,
  footnotes: WORD,
  endnotes: WORD,
  comments: WORD,
};
const OF_PRESENTATION: Targets = { slide: DRAWING };
const OF_SLIDE: Targets = { notesSlide: DRAWING, comments: SLIDE_COMMENTS };
const OF_WORKBOOK: Targets = { sharedStrings: SHEET, worksheet: SHEET };
const OF_SHEET: Targets = { comments: SHEET, threadedComment: THREADED_COMMENTS, drawing: DRAWING };

/** Tells by the relationships of its parts which of them hold text. @throws ExtractionFailed malformed or bomb */
export async function readOfficeParts(office: OfficePackage, kind: 'docx' | 'pptx' | 'xlsx'): Promise<OfficeParts> {
  const dialects = new Map<string, Dialect>();
  const sheets = new Set<string>();
  const fixed = new Set<string>();
  const add = async (from: string, targets: Targets): Promise<string[]> => {
    const found = [...(await office.relationships(from)).values()].filter(({ target }) => office.has(target));
    for (const { type, target } of found) {
      const dialect = Object.hasOwn(targets, type) ? targets[type] : undefined;
      if (dialect) dialects.set(target, dialect);
      if (type === 'table') for (const name of await columnsOf(office, target)) fixed.add(name);
      if (type === 'worksheet') sheets.add(target);
    }
    return found.filter(({ type }) => type === 'slide' || type === 'worksheet').map(({ target }) => target);
  };
  if (kind === 'docx') {
    dialects.set(office.main, WORD);
    await add(office.main, OF_DOCUMENT);
  } else {
    const [own, below] = kind === 'pptx' ? [OF_PRESENTATION, OF_SLIDE] : [OF_WORKBOOK, OF_SHEET];
    for (const part of await add(office.main, own)) await add(part, below);
  }
  return { dialects, sheets, fixed };
}

/** The heads of a table are its columns' names, by which formulas call them: a workbook with others is repaired. */
async function columnsOf(office: OfficePackage, part: string): Promise<string[]> {
  const names: string[] = [];
  await office.read(part, {
    open: (element, { name = '' }) => {
      // Line breaks are written as `_x000a_` in names alone (ECMA-376 part 1, 22.9.2.19).
      if (element === 'tableColumn') names.push(toHead(name.replaceAll(/_x000[ad]_/gi, '')));
    },
  });
  return names;
}
