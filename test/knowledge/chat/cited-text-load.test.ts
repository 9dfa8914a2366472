import { describe, expect, it } from '@jest/globals';
import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';
import { CitationVerifier } from '../../../src/knowledge/chat/citation-verifier.js';
import { CitedText } from '../../../src/knowledge/chat/cited-text.js';
import { findMarks } from '../../../src/knowledge/chat/citation-marks.js';
import { SentenceBuffer } from '../../../src/knowledge/chat/sentence-buffer.js';

const SHAPES = [
  ['[', '[1', '[[[ 1 ', '[p ', '[a]', '[<a 1]', '`a[1] ', '``\n', '\n', '&#91;1! ', '&', '<!-- ', '](', 'a '],
  ['[100-139]', '['.repeat(8) + ']'.repeat(100), '[1]'],
].flat();

describe('texts that are made to take long', () => {
  it.each(SHAPES)('are held back but for a few thousand units: %j', async (shape) => {
    expect(mostHeld(shape.repeat(Math.ceil(200_000 / shape.length)))).toBeLessThan(6_000);
  });

  it('are held back no more where brackets are open all the way', () => {
    expect(mostHeld('['.repeat(1_000_000))).toBeLessThan(6_000);
  });

  it.each(SHAPES)('let others have their turn every few thousand units: %j', async (shape) => {
    const small = await asked(shape.repeat(Math.ceil(50_000 / shape.length)));
    const large = await asked(shape.repeat(Math.ceil(100_000 / shape.length)));

    expect(small).toBeGreaterThanOrEqual(13);
    expect(large).toBeGreaterThanOrEqual(25);
    expect(large).toBeLessThan(2.5 * small);
  });

  it('name at most so many passages at one place, each once', () => {
    const text = Array.from({ length: 8_000 }, (_, at) => `[${100 + at * 40}-${139 + at * 40}]`).join('');

    const [group, ...others] = findMarks(`Lunch ${text}${'[7]'.repeat(9)}`);

    expect(group?.numbers).toHaveLength(200);
    expect(new Set(group?.numbers).size).toBe(200);
    expect(others).toEqual([]);
  });
});

/** The largest part of a text that is held back, which comes in pieces. */
function mostHeld(text: string): number {
  const buffer = new SentenceBuffer();
  let [held, most] = [0, 0];
  for (let at = 0; at < text.length; at += 1_000) {
    const piece = text.slice(at, at + 1_000);
    held += piece.length - buffer.push(piece).join('').length;
    most = Math.max(most, held);
  }
  return most;
}

/** How often others could have their turn while a text is looked at. */
async function asked(text: string): Promise<number> {
  let count = 0;
  const cooperation = new (class extends CooperativeYield {
    override get isDue(): boolean {
      count += 1;
      return super.isDue;
    }
  })();
  const cited = new CitedText(new CitationVerifier([], cooperation), cooperation, true);
  const written = (await cited.write(text)) + (await cited.end());
  expect(written.length).toBeLessThanOrEqual(text.length);
  return count;
}
