import { extname } from 'node:path';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { ChildPool } from '../../../platform/extraction/child/child-pool.js';
import type { ChildCommand } from '../../../platform/extraction/child/child-command.js';
import type { ChildLimits, ChildTask } from '../../../platform/extraction/child/work-child.js';
import type { Gauge } from '../../../platform/telemetry/metrics.js';
import type { WorkbookRow, WorkbookTask } from './workbook.types.js';

/** What the writing of workbooks may take. */
export interface WorkbookWriterOptions extends ChildLimits {
  /** How many workbooks are written at once; others wait. */
  readonly processes: number;
  readonly log: Logger;
}

/** So many bytes of rows go to the child at once. */
const PIECE_BYTES = 64 * 1024;

const COMMAND: ChildCommand = {
  entry: new URL(`./workbook.child${extname(import.meta.url)}`, import.meta.url),
  startsPrograms: false,
};

/** Writes XLSX files, each in a child process with limits of time and memory: a file is made in memory as a whole. */
export class WorkbookWriter {
  /** The children, for metrics and tests. */
  readonly children: ChildPool;

  constructor(options: WorkbookWriterOptions) {
    this.children = new ChildPool({ name: 'workbooks', ...options, isFair: true });
  }

  /** Running children and waiting workbooks. */
  get gauges(): readonly Gauge[] {
    return this.children.gauges;
  }

  /**
   * Writes a workbook; nothing of it comes before the last row was read.
   * @param rows read as fast as the child takes them
   * @throws ChildFailed, the reason of the signal, or what the rows throw
   */
  async *write(
    task: WorkbookTask,
    rows: AsyncIterable<WorkbookRow>,
    { signal, turn }: Pick<ChildTask, 'signal' | 'turn'>,
  ): AsyncGenerator<Buffer, void, undefined> {
    const input = Readable.from(toLines(rows));
    for await (const piece of this.children.run(COMMAND, { task, input, signal, turn })) {
      yield Buffer.from(piece as string, 'base64');
    }
  }

  /** Ends all children. */
  close(): void {
    this.children.close();
  }
}

async function* toLines(rows: AsyncIterable<WorkbookRow>): AsyncGenerator<Buffer, void, undefined> {
  let lines: Buffer[] = [];
  let size = 0;
  for await (const row of rows) {
    const line = Buffer.from(`${JSON.stringify(row)}\n`);
    lines.push(line);
    size += line.length;
    if (size < PIECE_BYTES) continue;
    yield Buffer.concat(lines);
    [lines, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(lines);
}
