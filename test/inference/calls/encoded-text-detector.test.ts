import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { EncodedTextDetector } from '../../../src/inference/calls/encoded-text-detector.js';

const BASE64 = createHash('sha512').update('a picture').digest('base64').slice(0, 86).repeat(4);

describe('a text that is written piece by piece, and that no rule can read', () => {
  it.each([
    ['base64', BASE64],
    ['a data URL', `data:image/png;base64,${BASE64}`],
    ['base64 without a kind of its characters for long', 'a'.repeat(900) + BASE64],
  ])('is found once, wherever it is cut: %s', (_what, text) => {
    const cuts = [1, 2, 7, 100, 2_000];

    const found = cuts.map((length) => findings(cutAt(text, length)).filter(Boolean).length);

    expect(found).toEqual(cuts.map(() => 1));
  });

  it('is found as base64 when it is longer than 256 characters', () => {
    expect(findings([BASE64.slice(0, 256), '', 'A'])).toEqual([false, false, true]);
  });

  it('is found as a data URL when its base64 begins', () => {
    expect(findings(['data:image/', 'png;base64,', 'i', 'VBOR'])).toEqual([false, false, true, false]);
  });

  it.each([
    ['prose before it', ['See: ', BASE64]],
    ['words', ['Hello', ' world ', BASE64]],
    ['padding in it', ['QUJD=', BASE64]],
    ['a head without base64', ['data:image/png,', BASE64]],
    ['prose behind a head', ['data:;base64,', ' well', BASE64]],
    ['a head that is too long', [`data:${'x'.repeat(210)}`, ';base64,', BASE64]],
    ['one kind of characters', cutAt('a'.repeat(5_000), 50)],
  ])('is not what has %s', (_what, pieces) => {
    expect(findings(pieces)).not.toContain(true);
  });
});

function findings(pieces: readonly string[]): boolean[] {
  const detector = new EncodedTextDetector();
  return pieces.map((piece) => detector.write(piece));
}

function cutAt(text: string, length: number): string[] {
  return text.match(new RegExp(`.{1,${length}}`, 'g')) ?? [];
}
