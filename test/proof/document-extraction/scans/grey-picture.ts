import { crc32, deflateSync } from 'node:zlib';
import type { Random } from '../../../crash/random.js';

/** A picture of shades of grey, a byte a pixel, line by line from the top left. */
export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

const WHITE = 255;

/** Reads a PGM file of bytes. @throws Error where it is none */
export function readPgm(file: Buffer): GreyPicture {
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(file.subarray(0, 64).toString('latin1'));
  if (!head) throw new Error('no PGM file');
  const [width, height] = [Number(head[1]), Number(head[2])];
  return { width, height, pixels: file.subarray(head[0].length, head[0].length + width * height) };
}

/** Turns a picture about its middle, clockwise, between the pixels; what comes from outside is white. @param angle in radians */
export function turnPicture({ width, height, pixels }: GreyPicture, angle: number): GreyPicture {
  const turned = new Uint8Array(width * height).fill(WHITE);
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [across, down] = [x - width / 2, y - height / 2];
      const [fromX, fromY] = [across * cosine + down * sine + width / 2, down * cosine - across * sine + height / 2];
      const [left, top] = [Math.floor(fromX), Math.floor(fromY)];
      if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) continue;
      const [right, low] = [fromX - left, fromY - top];
      const at = top * width + left;
      const above = pixels[at]! * (1 - right) + pixels[at + 1]! * right;
      const below = pixels[at + width]! * (1 - right) + pixels[at + width + 1]! * right;
      turned[y * width + x] = above * (1 - low) + below * low;
    }
  }
  return { width, height, pixels: turned };
}

/** Adds noise to each pixel. @param strength its standard deviation, about, in shades */
export function addNoise({ width, height, pixels }: GreyPicture, strength: number, random: Random): GreyPicture {
  const noisy = new Uint8Array(pixels.length);
  for (const [index, pixel] of pixels.entries()) {
    // Three of them together are nearly normal, with a deviation of a half.
    const noise = random.next() + random.next() + random.next() - 1.5;
    noisy[index] = Math.min(WHITE, Math.max(0, pixel + noise * 2 * strength));
  }
  return { width, height, pixels: noisy };
}

/** Writes a picture as a PNG file. */
export function writePng({ width, height, pixels }: GreyPicture): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits of grey.
  head.writeUInt8(8, 8);
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) lines.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(lines, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
