import { expect, it } from '@jest/globals';
import { wordsOf } from '../../../src/inference/builtin/sentences.js';
import { Random } from '../../crash/random.js';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const PIECES = [...'aB9.,\'"-_ \t\n\r()[]!?:;/@éİא日本ก\u202f\u00a0\u200d\u0301', '👍', 'word', '3rd', "it's", 'e.g.'];

it('are those that the segmenter finds, whatever stands around them', () => {
  const random = new Random(7);
  const piece = () => PIECES[Math.floor(random.next() * PIECES.length)] ?? '';
  const texts = Array.from({ length: 20_000 }, () => Array.from({ length: 1 + random.next() * 14 }, piece).join(''));

  const differing = texts.filter((text) => JSON.stringify(wordsOf(text)) !== JSON.stringify(segmentsOf(text)));

  expect(differing).toEqual([]);
});

function segmentsOf(text: string): string[] {
  return [...segmenter.segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase());
}
