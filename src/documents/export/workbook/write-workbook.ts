import writeExcelFile from 'write-excel-file/node';
import type { Cell, SheetData } from 'write-excel-file/node';
import type { TaskHandler } from '../../../platform/extraction/child/serve.js';
import type { WorkbookCell, WorkbookRow, WorkbookTask } from './workbook.types.js';

/** So much of the file is given at once. */
const PIECE_BYTES = 1024 * 1024;

/** Reads rows, and gives the bytes of the XLSX file in base64. */
export const writeWorkbook: TaskHandler = async (task, input, emit) => {
  const { sheets } = task as WorkbookTask;
  const data = sheets.map(({ columns }): SheetData => [columns.map(toHead)]);
  for await (const line of readLines(input)) {
    const [sheet, ...cells] = JSON.parse(line) as WorkbookRow;
    data[sheet]?.push(cells.map(toCell));
  }
  const workbook = writeExcelFile(sheets.map(({ name }, index) => ({ sheet: name, data: data[index] ?? [] })));
  const bytes = await workbook.toBuffer();
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    await emit(bytes.toString('base64', start, start + PIECE_BYTES));
  }
};

async function* readLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of input) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

function toHead(text: string): Cell {
  return { value: toText(text), type: String, fontWeight: 'bold' };
}

/** A text is taken for a text, since only cells that say so are formulas. */
function toCell(cell: WorkbookCell): Cell {
  if (typeof cell === 'string') return toText(cell);
  if (typeof cell !== 'object' || cell === null) return cell;
  return { value: new Date(`${cell.date}T00:00:00Z`), type: Date, format: 'yyyy-mm-dd' };
}

function toText(text: string): string {
  // Programs would take it for the character of this number (ECMA-376 part 1, 22.9.2.19).
  const plain = text.replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_');
  // Whoever reads XML makes a line feed of it.
  const escaped = plain.replaceAll('\r', '_x000D_');
  // The library looks for known texts in an object that inherits members of these names. NUL is never written.
  return escaped in Object.prototype ? `\0${escaped}` : escaped;
}
