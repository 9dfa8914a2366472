import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { ExtractionFailed } from '../extraction-failed.js';
import { PieceWriter } from '../piece-writer.js';
import type { FormatReader } from '../read-file.js';
import { TableWriter } from '../tables/table-writer.js';
import { decodeText } from './text-decoding.js';

const DELIMITERS = [',', ';', '\t', '|'];

/** The longest record, in UTF-16 units: one that goes on for ever ends here. */
const RECORD_CHARACTERS = 1024 * 1024;

/** Comma separated values, or separated by semicolons, tabs or bars: the first row is the header. */
export const readCsv: FormatReader = async (file, pages) => {
  const writer = new PieceWriter(pages);
  const table = new TableWriter(writer);
  const parts = decodeText(file.chunks(), { onGuess: pages.assume });
  const head = (await parts.next()).value ?? '';
  const parser = parse({
    delimiter: delimiterOf(head),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: RECORD_CHARACTERS,
  });
  try {
    await pipeline(joined(head, parts), parser, async (rows: AsyncIterable<string[]>) => {
      for await (const row of rows) {
        table.row(row.map((text) => ({ text })));
        await writer.flush();
      }
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new ExtractionFailed(error.code === 'CSV_MAX_RECORD_SIZE' ? 'too_large' : 'malformed');
  }
  table.end();
  await writer.end();
};

async function* joined(head: string, parts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  yield head;
  yield* parts;
}

/** The one that the first line has most often, outside of quotes. */
function delimiterOf(head: string): string {
  const [line = ''] = head
    .slice(0, RECORD_CHARACTERS)
    .replace(/"[^"]*"/g, '')
    .split('\n', 1);
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as string;
}
