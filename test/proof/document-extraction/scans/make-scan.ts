import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Box } from '../../../../src/documents/layout/layout.types.js';
import type { Random } from '../../../crash/random.js';
import { pdf } from '../../../support/builders/documents/pdf-documents.js';
import type { SetDocument, TrueValue } from '../set/document.types.js';
import { PAGE } from '../set/sheet.js';
import { addNoise, readPgm, turnPicture, writePng } from './grey-picture.js';

/** How a page is scanned. */
export interface ScanQuality {
  readonly dotsPerInch: 200 | 150 | 120;
  /** How strong the noise is, in shades of 255. */
  readonly noise: number;
  /** How much a JPEG file keeps, 1–100. */
  readonly jpegQuality: number;
  /** How far a page is turned at most, in degrees. */
  readonly turn: number;
}

/** From good to bad. */
export const QUALITIES: readonly ScanQuality[] = [
  { dotsPerInch: 200, noise: 12, jpegQuality: 75, turn: 0.7 },
  { dotsPerInch: 150, noise: 20, jpegQuality: 55, turn: 1 },
  { dotsPerInch: 120, noise: 28, jpegQuality: 40, turn: 1.3 },
];

/** Scans a document: each page is drawn, turned, made noisy and compressed, so that it is a picture and nothing else. */
export async function makeScan(
  document: SetDocument,
  { dotsPerInch, noise, jpegQuality, turn }: ScanQuality,
  random: Random,
  pdftoppm: string,
): Promise<SetDocument> {
  const count = Math.max(1, ...[...document.truth.values()].map(({ page = 1 }) => page));
  const [pictures, turns]: [Buffer[], number[]] = [[], []];
  const resolution = ['-r', String(dotsPerInch), '-gray', '-q'];
  for (let page = 1; page <= count; page += 1) {
    const angle = (((random.next() * 2 - 1) * turn) / 180) * Math.PI;
    const drawn = readPgm(
      await run(pdftoppm, ['-f', String(page), '-l', String(page), ...resolution, '-'], document.pdf),
    );
    const dirty = await asPdf([writePng(addNoise(turnPicture(drawn, angle), noise, random))]);
    const compressed = ['-jpeg', '-jpegopt', `quality=${jpegQuality}`, '-singlefile', '-'];
    pictures.push(await run(pdftoppm, [...resolution, ...compressed], dirty));
    turns.push(angle);
  }
  const truth = new Map([...document.truth].map(([path, value]) => [path, turnValue(value, turns)]));
  return { ...document, id: `${document.id} at ${dotsPerInch} dpi`, pdf: await asPdf(pictures), truth };
}

/** A file whose pages are pictures. */
function asPdf(pictures: readonly Buffer[]): Promise<Buffer> {
  return pdf((file) => {
    for (const picture of pictures) {
      file.addPage({ size: 'A4', margin: 0 }).image(picture, 0, 0, { width: PAGE.width, height: PAGE.height });
    }
  });
}

function turnValue(value: TrueValue, turns: readonly number[]): TrueValue {
  const turn = turns[(value.page ?? 1) - 1];
  return value.box && turn !== undefined ? { ...value, box: turnBox(value.box, turn) } : value;
}

/** The box around a box that has been turned with its page, about the middle. */
function turnBox([left, top, right, bottom]: Box, angle: number): Box {
  const [middleX, middleY] = [PAGE.width / 2, PAGE.height / 2];
  const corners = [left, right].flatMap((x) =>
    [top, bottom].map((y) => {
      const [across, down] = [x * PAGE.width - middleX, y * PAGE.height - middleY];
      return [
        (across * Math.cos(angle) - down * Math.sin(angle) + middleX) / PAGE.width,
        (across * Math.sin(angle) + down * Math.cos(angle) + middleY) / PAGE.height,
      ] as const;
    }),
  );
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

async function run(program: string, args: readonly string[], input: Uint8Array): Promise<Buffer> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = once(child, 'close') as Promise<[number | null]>;
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) chunks.push(chunk);
  const [code] = await ended;
  if (code !== 0) throw new Error(`${program} has failed`);
  return Buffer.concat(chunks);
}
