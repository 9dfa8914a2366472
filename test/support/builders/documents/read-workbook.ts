import { FileInput } from '../../../../src/platform/extraction/file-input.js';
import { OfficePackage } from '../../../../src/platform/extraction/office/office-package.js';
import { readSharedStrings } from '../../../../src/platform/extraction/office/shared-strings.js';
import { formatSerialDate, readDateStyles } from '../../../../src/platform/extraction/office/spreadsheet-dates.js';
import { MEBIBYTE } from '../../../../src/platform/config/variables.js';
import { inTurn } from './results.js';

/** A cell as a program for tables shows it: text, number, boolean, `{date}`, `{formula}`; null is empty. */
export type ReadCell = string | number | boolean | null | { readonly date: string } | { readonly formula: string };

/** The rows of each sheet of an XLSX file, by its name and in its order. */
export async function readWorkbook(bytes: Buffer): Promise<Record<string, ReadCell[][]>> {
  const office = await OfficePackage.open(new FileInput(inTurn([bytes]), 512 * MEBIBYTE), 'xlsx');
  const strings = await readSharedStrings(office, 'xl/sharedStrings.xml');
  const dateStyles = await readDateStyles(office, 'xl/styles.xml');
  const relationships = await office.relationships(office.main);
  const sheets: { name: string; part: string }[] = [];
  await office.read(office.main, {
    open: (element, { name = '', 'r:id': id = '' }) => {
      if (element === 'sheet') sheets.push({ name, part: relationships.get(id)?.target ?? '' });
    },
  });
  const read: Record<string, ReadCell[][]> = {};
  for (const { name, part } of sheets) read[name] = await readSheet(office, part, { strings, dateStyles });
  return read;
}

interface Lookups {
  readonly strings: readonly string[];
  readonly dateStyles: ReadonlySet<number>;
}

async function readSheet(office: OfficePackage, part: string, { strings, dateStyles }: Lookups): Promise<ReadCell[][]> {
  const rows: ReadCell[][] = [];
  let [type, style, column, text, element] = ['', 0, 0, '', ''];
  const toCell = (): ReadCell => {
    if (element === 'f') return { formula: text };
    if (type === 's') return unescaped(strings[Number(text)] ?? `no string ${text}`);
    if (type === 'b') return text === '1';
    if (type !== 'n') return `unknown type ${type}`;
    return dateStyles.has(style) ? { date: formatSerialDate(Number(text), false) } : Number(text);
  };
  await office.read(part, {
    open: (name, { r = '', t = 'n', s = '0' }) => {
      if (name === 'row') rows.push([]);
      else if (name === 'c') [type, style, column, text] = [t, Number(s), columnOf(r), ''];
      else element = name;
    },
    text: (more) => {
      text += more;
    },
    close: (name) => {
      if (name !== 'c') return;
      const row = rows.at(-1) ?? [];
      while (row.length < column) row.push(null);
      row.push(text === '' ? null : toCell());
    },
  });
  return rows;
}

/** `B7` is 1. */
function columnOf(reference: string): number {
  const letters = reference.replace(/\d+$/, '');
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** ECMA-376 part 1, 22.9.2.19. */
function unescaped(text: string): string {
  return text.replaceAll(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
