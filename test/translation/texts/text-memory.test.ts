import { expect, it } from '@jest/globals';
import { Unavailable } from '../../../src/errors.js';
import { TextMemory } from '../../../src/translation/texts/text-memory.js';

const [ADA, BOB] = ['usr_ada', 'usr_bob'].map((userId) => ({ tenantId: 'ten_a', tokenId: 'tok_a', userId })) as [
  Owner,
  Owner,
];
type Owner = Parameters<TextMemory['hold']>[0];

it('gives one user a part of what all have, and what is over back', () => {
  const memory = new TextMemory({ all: 2_000_000, tenant: 3_000_000, user: 1_200_000 });
  const texts = ['a'.repeat(10_000)];

  const first = memory.hold(ADA, toRequest(texts));
  expect(() => memory.hold(ADA, toRequest(texts))).toThrow(/of yours/);
  const other = memory.hold(BOB, toRequest(texts));
  expect(heldBy(memory)).toBe(2 * 604_096);
  first[Symbol.dispose]();
  memory.hold(ADA, toRequest(texts))[Symbol.dispose]();
  other[Symbol.dispose]();

  expect(heldBy(memory)).toBe(0);
});

it('leaves half of it to other tenants', () => {
  const memory = new TextMemory({ all: 2_000_000, tenant: 1_000_000, user: 900_000 });
  const texts = ['a'.repeat(10_000)];

  memory.hold(ADA, toRequest(texts));
  expect(() => memory.hold(BOB, toRequest(texts))).toThrow(/of your company/);
  memory.hold({ ...BOB, tenantId: 'ten_b' }, toRequest(texts));

  expect(heldBy(memory)).toBe(2 * 604_096);
});

it('has room for the markers of texts, or says so, and is as before when they are over', () => {
  const memory = new TextMemory({ all: 2_000_000, tenant: 3_000_000, user: 1_500_000 });
  const [one, other] = [memory.hold(ADA, toRequest(['a'])), memory.hold(BOB, toRequest(['a'], 'html'))];

  one.add({ markers: 700 });
  expect(() => one.add({ markers: 100 })).toThrow(Unavailable);
  expect(() => other.add({ markers: 300 })).toThrow(
    'Too much text is being translated at the moment. Please try again.',
  );
  one[Symbol.dispose]();
  other.add({ markers: 700 });
  other[Symbol.dispose]();

  memory.hold(ADA, toRequest(['a'])).add({ markers: 700 });
});

it('has room for a glossary, and for its terms in the texts', () => {
  const memory = new TextMemory({ all: 2_000_000, tenant: 3_000_000, user: 1_500_000 });
  const glossary = [{ source: 'a'.repeat(400), target: 'b'.repeat(500) }];

  const held = memory.hold(ADA, { ...toRequest(['a']), options: { glossary } });
  expect(heldBy(memory)).toBe(4_096 + 60 + 90_000);
  held.add({ markers: 100, units: 100, termCharacters: 50_000 });
  expect(() => held.add({ termCharacters: 10_000 })).toThrow(Unavailable);
  held[Symbol.dispose]();

  expect(heldBy(memory)).toBe(0);
});

function toRequest(texts: readonly string[], format: 'text' | 'html' = 'text') {
  return { texts, format, options: { glossary: [] } };
}

function heldBy({ gauge }: TextMemory): unknown {
  return gauge.read()[0]?.value;
}
