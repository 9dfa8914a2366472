import { describe, expect, it } from '@jest/globals';
import { QuotaExceeded } from '../../../src/errors.js';
import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';
import { provenSentences } from '../../../src/researcher/pipeline/claims-step.js';
import { TokensUsedUp } from '../../../src/researcher/pipeline/token-budget.js';
import { ClaimVerifier } from '../../../src/researcher/verification/claim-verifier.js';
import type { Claim } from '../../../src/researcher/verification/verification.types.js';

describe('the claims of a source', () => {
  it('stay where they are proven, though there are no tokens left to repair the others', async () => {
    const { sentences, dropped } = await prove(new TokensUsedUp());

    expect(sentences.map(({ text }) => text)).toEqual(['Lunch is at noon every day.']);
    expect(dropped).toEqual({ quote_not_found: 1 });
  });

  it('stay where the quota is used up meanwhile, of which is told', async () => {
    const failures: unknown[] = [];
    const usedUp = new QuotaExceeded('used up', { limit: 1, remaining: 0, resetSeconds: 1 } as never);

    const { sentences } = await prove(usedUp, (error) => failures.push(error));

    expect(sentences.map(({ text }) => text)).toEqual(['Lunch is at noon every day.']);
    expect(failures).toEqual([usedUp]);
  });

  it('fail with a model that fails', async () => {
    await expect(prove(new Error('the model is gone'))).rejects.toThrow('the model is gone');
  });
});

/** @param failure of the repair */
function prove(failure: Error, repairFailed?: (error: unknown) => void): ReturnType<typeof provenSentences> {
  const verifier = new ClaimVerifier([SOURCE], false, new CooperativeYield());
  const analyst = { repair: () => Promise.reject(failure) };
  const told = repairFailed && { repairFailed };
  return provenSentences(CLAIMS, [SOURCE], { analyst, verifier, isRepaired: true, ...told });
}

const TEXT = 'The office opens at nine. Lunch is at noon every day.';

const SOURCE = {
  id: 'src_1',
  url: 'http://pages.test/',
  title: 'Hours',
  text: TEXT,
  language: 'en',
  credibility: null,
};

const CLAIMS: readonly Claim[] = [
  {
    text: 'Lunch is at noon every day.',
    section: 's',
    quotes: [{ source: 'src_1', quote: 'Lunch is at noon every day.' }],
  },
  { text: 'Dinner is at six.', section: 's', quotes: [{ source: 'src_1', quote: 'Dinner is at six o’clock sharp.' }] },
];
