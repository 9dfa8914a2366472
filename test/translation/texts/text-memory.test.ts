import { expect, it } from '@jest/globals';
import { Unavailable } from '../../../src/errors.js';
import { TextMemory } from '../../../src/translation/texts/text-memory.js';

const [ADA, BOB] = ['usr_ada', 'usr_bob'].map((userId) => ({ tenantId: 'ten_a', tokenId: 'tok_a', userId })) as [
  Owner,
  Owner,
];
type Owner = Parameters<TextMemory['hold']>[0];

it('gives one user a part of what all have, and what is over back', () => {
  const memory = new TextMemory({ all: 2_000_000, user: 1_200_000 });
  const texts = ['a'.repeat(10_000)];

  const first = memory.hold(ADA, texts, 'text');
  expect(() => memory.hold(ADA, texts, 'text')).toThrow(/of yours/);
  const other = memory.hold(BOB, texts, 'text');
  expect(heldBy(memory)).toBe(2 * 604_096);
  first[Symbol.dispose]();
  memory.hold(ADA, texts, 'text')[Symbol.dispose]();
  other[Symbol.dispose]();

  expect(heldBy(memory)).toBe(0);
});

it('has room for the markers of texts, or says so, and is as before when they are over', () => {
  const memory = new TextMemory({ all: 2_000_000, user: 1_500_000 });
  const [one, other] = [memory.hold(ADA, ['a'], 'text'), memory.hold(BOB, ['a'], 'html')];

  one.addMarkers(700);
  expect(() => one.addMarkers(100)).toThrow(Unavailable);
  expect(() => other.addMarkers(300)).toThrow('Too much text is being translated at the moment. Please try again.');
  one[Symbol.dispose]();
  other.addMarkers(700);
  other[Symbol.dispose]();

  memory.hold(ADA, ['a'], 'text').addMarkers(700);
});

function heldBy({ gauge }: TextMemory): unknown {
  return gauge.read()[0]?.value;
}
