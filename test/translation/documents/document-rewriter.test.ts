import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { DocumentRewriter } from '../../../src/translation/documents/document-rewriter.js';
import type { DocumentKind } from '../../../src/translation/documents/formats/document-format.js';
import { changeUnit } from '../../../src/translation/units/change-unit.js';
import type { InlineText } from '../../../src/translation/units/inline-text.js';
import { HOSTILE_FILES } from '../../support/builders/documents/hostile-files.js';
import { officeFile, wordPart } from '../../support/builders/documents/hostile-documents.js';
import { richPresentation, richWordDocument } from '../../support/builders/documents/rich-office-documents.js';
import { capitals, entriesOf, shown } from '../../support/builders/documents/rewritten.js';
import { workbook } from '../../support/builders/documents/office-documents.js';
import { streamOf } from '../../support/builders/extraction.js';

const FILES: readonly [kind: DocumentKind, make: () => Buffer | Promise<Buffer>][] = [
  ['docx', richWordDocument],
  ['pptx', richPresentation],
  ['xlsx', () => workbook(500)],
  ['markdown', () => Buffer.from('# One\n\nTwo *three*.\n')],
  ['text', () => Buffer.from('One\n\nTwo\n')],
  ['json', () => Buffer.from('{"a":"one"}')],
  ['srt', () => Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nOne\n')],
  ['vtt', () => Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nOne\n')],
  ['po', () => Buffer.from('msgid "one"\nmsgstr ""\n')],
  ['html', () => Buffer.from('<p>One <b>two</b></p>')],
];

test.each(FILES)('a file of the kind %s is read and written in a child', async (kind, make) => {
  using rewriter = openRewriter();
  const file = await make();

  const units = await read(rewriter, kind, file);
  let warnings = -1;
  const written = await buffer(
    Readable.from(rewriter.write(documentOf(kind, file), inParts(units), signal, (count) => (warnings = count))),
  );

  expect(warnings).toBe(0);
  expect((await read(rewriter, kind, written)).map(shown)).toEqual(
    kind === 'po' ? units.map(shown) : units.map(capitals).map(shown),
  );
});

const { signal } = new AbortController();

const HOSTILE = HOSTILE_FILES.filter(([name, kind]) => kind === 'docx' && !name.startsWith('a paragraph'));

test.each(HOSTILE)('%s is refused', async (_name, kind, make, reason) => {
  using rewriter = openRewriter();

  await expect(read(rewriter, kind as 'docx', await make())).rejects.toMatchObject({ reason });
});

test.each([
  ['two roots', () => wordPart('<document/><document/>'), 'malformed'],
  ['text behind its root', () => wordPart('<document/>text'), 'malformed'],
  [
    'a project of macros that it does not declare',
    () => officeFile('docx', { 'word/document.xml': '<document/>', 'word/vbaProject.bin': 'x' }),
    'unsupported',
  ],
] as const)('a document with %s is refused', async (_name, make, reason) => {
  using rewriter = openRewriter();

  await expect(read(rewriter, 'docx', await make())).rejects.toMatchObject({ reason });
});

test('a paragraph of 100 MB ends its child, and nothing else', async () => {
  using rewriter = openRewriter({ memoryMib: 256 });
  const file = await wordPart({ text: `<document><p><r><t>${'tide '.repeat(100_000)}`, times: 200 });

  await expect(read(rewriter, 'docx', file)).rejects.toMatchObject({
    reason: expect.stringMatching(/^(?:bomb|malformed|out_of_memory|too_large)$/),
  });
  expect(await read(rewriter, 'text', Buffer.from('One'))).toHaveLength(1);
});

test('a file that is larger than a child may keep is refused before it is read', async () => {
  using rewriter = openRewriter({ memoryMib: 256 });

  const file = { kind: 'text', targetLanguage: 'de', sizeBytes: 65 * 1024 * 1024, bytes: Readable.from([]) } as const;
  await expect(rewriter.read(file, signal).next()).rejects.toMatchObject({ reason: 'too_large' });
});

test('a document whose texts are gone half way is not written', async () => {
  using rewriter = openRewriter();
  const file = await richWordDocument();
  const failing = async function* () {
    yield [[]] as const;
    throw new Error('gone');
  };

  await expect(
    buffer(Readable.from(rewriter.write(documentOf('docx', file), failing(), signal, () => undefined))),
  ).rejects.toThrow('gone');
});

test('texts that come with the last bytes of the file are taken', async () => {
  using rewriter = openRewriter();
  const file = Buffer.from('One\n\nTwo\n');
  const [one, two] = await read(rewriter, 'text', file);
  const lines = [one, two].map((unit) => `${JSON.stringify([capitals(unit ?? []), true])}\n`);
  const bytes = Readable.from([Buffer.concat([file, Buffer.from(lines.join(''))])]);

  const written = rewriter.write({ ...documentOf('text', file), bytes }, inParts([]), signal, () => undefined);

  expect((await buffer(Readable.from(written))).toString()).toBe('ONE\n\nTWO\n');
});

test('what is left as it is is written as it is', async () => {
  using rewriter = openRewriter();
  const file = await richWordDocument();
  const units = await read(rewriter, 'docx', file);
  const nothing = async function* () {
    yield units.map(() => [] as const);
  };

  const written = await buffer(
    Readable.from(rewriter.write(documentOf('docx', file), nothing(), signal, () => undefined)),
  );

  expect([...(await entriesOf(written))]).toEqual([...(await entriesOf(file))]);
});

test('hyphens of Word that are elements, and notes, are read as people read them', async () => {
  using rewriter = openRewriter();
  const runs =
    '<t>CUST</t><noBreakHyphen/><t>12 has </t><t>41</t><softHyphen/><t>11 cars</t><footnoteReference/><t>s</t><br/><t>x</t>';

  const [unit] = await read(rewriter, 'docx', await wordPart(`<document><p><r>${runs}</r></p></document>`));

  let seen = '';
  await changeUnit(unit ?? [], (text) => (seen = text));
  expect(seen).toBe('CUST-12 has 4111 carss\nx');
});

test('files of one tenant that take long leave a child to others', async () => {
  using rewriter = openRewriter({ processes: 2 });
  const ending = new AbortController();
  const stuck = [1, 2, 3].map(() => {
    const file = { ...documentOf('text', Buffer.from('One')), bytes: new Readable({ read: () => undefined }) };
    return rewriter.read({ ...file, tenantId: 'busy' }, ending.signal).next();
  });

  const found = await rewriter.read({ ...documentOf('text', Buffer.from('One')), tenantId: 'other' }, signal).next();

  expect(found.value).toHaveLength(1);
  ending.abort();
  expect((await Promise.allSettled(stuck)).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});

function openRewriter(
  limits: { memoryMib?: number; seconds?: number; processes?: number } = {},
): DocumentRewriter & Disposable {
  const rewriter = new DocumentRewriter({
    processes: 1,
    seconds: 25,
    memoryMib: 512,
    ...limits,
    log: pino({ level: 'silent' }),
  });
  return Object.assign(rewriter, { [Symbol.dispose]: () => rewriter.close() });
}

const documentOf = (kind: DocumentKind, file: Buffer) => ({
  kind,
  targetLanguage: 'de',
  sizeBytes: file.length,
  bytes: streamOf(file),
});

async function read(rewriter: DocumentRewriter, kind: DocumentKind, file: Buffer): Promise<InlineText[]> {
  const units: InlineText[] = [];
  for await (const some of rewriter.read(documentOf(kind, file), signal)) units.push(...some);
  return units;
}

async function* inParts(units: readonly InlineText[]) {
  for (let start = 0; start < units.length; start += 3) {
    yield units.slice(start, start + 3).map((unit) => [capitals(unit), true] as const);
  }
}
