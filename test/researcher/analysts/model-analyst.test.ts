import { describe, expect, it } from '@jest/globals';
import { ModelAnalyst } from '../../../src/researcher/analysts/model-analyst.js';
import { relevantText } from '../../../src/researcher/analysts/relevant-text.js';
import type { DropReason, RefusedClaim } from '../../../src/researcher/verification/verification.types.js';
import { CountedTurns } from '../../support/probes/counted-turns.js';

const SOURCE = {
  id: 's',
  url: 'https://bridge.example/',
  title: null,
  text: 'The old bridge of the town has seven arches and is made of grey stone. '.repeat(400),
  language: 'en',
};
/** What a source is shown with is fixed. */
const AROUND = 2_500;

describe('a model that is asked to repair claims', () => {
  it.each<DropReason>(['too_long', 'quote_too_long'])('is not asked for what was refused as %s', async (reason) => {
    expect(await promptsOf(refusedFor(reason, 'The old bridge of the town'))).toEqual([]);
  });

  it.each([
    ['as many tokens as it takes', undefined, 20_000],
    ['few tokens', 12_000, 3_000],
  ])('is not shown more than it is for its claims: %s', async (_, tokens, most) => {
    const [prompt = ''] = await promptsOf(refusedFor('words', 'word '.repeat(4_800)), tokens);

    expect(prompt.length).toBeLessThan(most + AROUND);
    expect(Buffer.byteLength(prompt)).toBeLessThan(tokens ?? Number.POSITIVE_INFINITY);
  });

  it('is shown as many of them as there is room for', async () => {
    const [prompt = ''] = await promptsOf(refusedFor('words', 'The old bridge of the town is grey'));

    expect(prompt.match(/"refused_for":"words"/g)).toHaveLength(40);
  });
});

it('lets others have their turn between quotes whose surroundings are looked for', async () => {
  const [one, turns] = [new CountedTurns(), new CountedTurns()];
  const quotes = Array.from({ length: 40 }, (_, at) => `word${at} `.repeat(3_000));

  await relevantText(SOURCE, quotes.slice(0, 1), 20_000, one);
  await relevantText(SOURCE, quotes, 20_000, turns);

  expect(turns.count).toBeGreaterThanOrEqual(one.count + 39);
});

it('looks for a thousand words of quotes at most', async () => {
  const quotes = [Array.from({ length: 100 }, (_, at) => `other${at}`).join(' ')];
  const more = Array.from({ length: 900 }, (_, at) => `another${at}`);
  const text = `${SOURCE.text} The lamp is red. ${SOURCE.text}`;

  const shown = (words: readonly string[]) => relevantText({ ...SOURCE, text }, words, 2_000, new CountedTurns());

  expect(await shown([...quotes, ...more.slice(1), 'lamp'])).toContain('The lamp is red.');
  expect(await shown([...quotes, ...more, 'lamp'])).not.toContain('The lamp is red.');
});

function refusedFor(reason: DropReason, quote: string): RefusedClaim[] {
  return Array.from({ length: 40 }, (_, at) => ({
    claim: { text: `The bridge ${at} is old.`, section: 'Which bridge is old?', quotes: [{ source: 's', quote }] },
    reason,
  }));
}

/** What a model is asked where claims were refused. */
async function promptsOf(refused: readonly RefusedClaim[], tokens?: number): Promise<string[]> {
  const prompts: string[] = [];
  const analyst = new ModelAnalyst({
    caller: {
      ask: ({ prompt }) => {
        prompts.push(prompt);
        return Promise.resolve(undefined);
      },
    },
    tokensLeft: () => Promise.resolve(tokens),
    cooperation: new CountedTurns(),
  });
  await analyst.repair(refused, [SOURCE]);
  return prompts;
}
