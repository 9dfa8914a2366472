import { beforeAll, expect, it } from '@jest/globals';
import { Random } from '../../crash/random.js';
import { onApertium } from '../../support/servers/services.js';
import { usePlatform } from '../../support/servers/use-servers.js';
import { chrf } from './chrf.js';
import { DIRECTIONS, readPairs } from './known-pairs.js';
import { compare, translateBoth } from './quality-trial.js';
import { problemsOf } from './translation-quality.js';

onApertium.describe('translations of apertium', () => {
  const platform = usePlatform();
  let token: string;

  beforeAll(async () => {
    token = (await platform.login()).access_token;
  });

  it.each(DIRECTIONS)('are as good through this server from $source, and keep what must be kept', async (direction) => {
    const random = new Random(11);
    const { plain, marked } = readPairs();
    const pairs = [plain, marked].flatMap((all) => Array.from({ length: 5 }, () => random.pick(all)));

    const translate = async (body: object) => (await platform.as(token).post('/v1/translate/text', body)).body;
    const compared = compare(await translateBoth(translate, pairs, direction));

    expect(problemsOf(compared)).toEqual([]);
    expect(compared.ours.chrf).toBeGreaterThan(50);
  });
});

it.each([
  // As sacrebleu 2 counts them.
  ['The cat.', 'The cat.', 100],
  ['abc', 'xyz', 0],
  ['', 'abc', 0],
  // Of n = 1, 2, 3: precision 2/3, 1/2, 0, and recall the same.
  ['abx', 'aby', 38.89],
])('counts n-grams: %s, %s', (translation, reference, score) => {
  expect(chrf([{ translation, reference }])).toBeCloseTo(score, 2);
});
