import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { MAX_ROWS, sendXlsx } from '../../../src/documents/export/xlsx-export.js';
import { eventually } from '../../support/probes/eventually.js';
import { readWorkbook } from '../../support/builders/documents/read-workbook.js';
import { exportOf, inTurn, resultOf } from '../../support/builders/documents/results.js';
import { scratchFolderAt } from '../../support/builders/scratch-folder.js';
import { openWriter, workbookOf } from '../../support/builders/documents/workbooks.js';

const PROPERTIES = { total: { type: 'number' } };
const TOO_LARGE = { status: 400, details: { param: 'format' }, message: expect.stringContaining('json or csv') };

describe('a workbook', () => {
  it('has as many rows as it may, and is refused with one more', async () => {
    using writer = openWriter({ processes: 2, seconds: 55 });

    const whole = workbookOf(writer, exportOf(PROPERTIES, documents(MAX_ROWS / 2)));
    const refused = workbookOf(writer, exportOf(PROPERTIES, documents(MAX_ROWS / 2 + 1)));

    await expect(refused).rejects.toMatchObject(TOO_LARGE);
    const sheets = await readWorkbook(await whole);
    expect(Object.values(sheets).map((rows) => rows.length)).toEqual([MAX_ROWS / 2 + 1, MAX_ROWS / 2 + 1]);
    expect(sheets['documents']?.at(-1)?.at(-1)).toBe(MAX_ROWS / 2 - 1);
  });

  it('is refused where it needs more memory than its child may have, and the next one is written', async () => {
    using writer = openWriter({ memoryMib: 128 });
    const wide = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, { type: 'string' }]));
    const large = (function* () {
      for (let index = 0; index < 200; index += 1) {
        yield resultOf(Object.fromEntries(Object.keys(wide).map((name) => [name, `${index} ${name} `.repeat(2_500)])));
      }
    })();

    const refused = workbookOf(writer, exportOf(wide, large));

    await expect(refused).rejects.toMatchObject(TOO_LARGE);
    expect((await workbookOf(writer, exportOf(PROPERTIES, documents(1)))).length).toBeGreaterThan(1_000);
  });

  it('is refused where it takes longer than it may', async () => {
    using writer = openWriter({ seconds: 1 });
    const slow = (async function* () {
      yield resultOf({ total: 1 });
      await new Promise<never>(() => undefined);
    })();

    await expect(workbookOf(writer, exportOf(PROPERTIES, [], { documents: slow }))).rejects.toMatchObject(TOO_LARGE);
  });

  it('keeps no child while a client reads it slowly, and lies on the disk meanwhile', async () => {
    using writer = openWriter();
    const path = mkdtempSync(join(tmpdir(), 'workbook-'));
    const { signal } = new AbortController();
    const results = exportOf(PROPERTIES, documents(5_000));

    const sent = sendXlsx(writer, results, scratchFolderAt(path), { signal });
    const first = await sent.next();

    expect(first.value?.length).toBeGreaterThan(0);
    expect([writer.children.busyPids, readdirSync(path)]).toEqual([[], ['workbook.xlsx']]);
    await sent.return();
    rmSync(path, { recursive: true });
  });

  it('fails as its documents do', async () => {
    using writer = openWriter();
    const failing = inTurn(
      (function* () {
        yield* documents(5_000);
        throw new Error('the database is gone');
      })(),
    );

    const writing = workbookOf(writer, exportOf(PROPERTIES, [], { documents: failing }));

    await expect(writing).rejects.toThrow('the database is gone');
  });

  it('is given up with its signal, and its documents are read no further', async () => {
    using writer = openWriter();
    const controller = new AbortController();
    let given = 0;
    let isLeft = false;
    const slow = (async function* () {
      try {
        for (; ; given += 1) yield await setImmediate(resultOf({ total: given }));
      } finally {
        isLeft = true;
      }
    })();
    const results = exportOf(PROPERTIES, [], { documents: slow });
    const writing = workbookOf(writer, results, controller.signal);
    writing.catch(() => undefined);
    await eventually('documents are read', 10, () => given > 100);

    controller.abort(new Error('the caller has left'));

    await expect(writing).rejects.toThrow('the caller has left');
    await eventually('the documents are left', 5, () => isLeft);
  });

  it('is unavailable for a moment where its child was ended from outside', async () => {
    using writer = openWriter();
    const waiting = (async function* () {
      yield resultOf({ total: 1 });
      await new Promise<never>(() => undefined);
    })();
    const writing = workbookOf(writer, exportOf(PROPERTIES, [], { documents: waiting }));
    writing.catch(() => undefined);
    await eventually('a child is busy', 10, () => writer.children.busyPids.length === 1);

    process.kill(writer.children.busyPids[0] as number, 'SIGKILL');

    await expect(writing).rejects.toMatchObject({ status: 503 });
  });
});

/** Each is a row of documents, and one of evidence. */
function* documents(count: number) {
  for (let index = 0; index < count; index += 1) yield resultOf({ total: index }, { id: `doc_${index}` });
}
