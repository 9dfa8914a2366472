import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { addSignedInAdmin, addTenant } from '../../support/builders/accounts.js';
import { POLICIES } from '../../support/builders/sanitizer-policy.js';
import { Unavailable } from '../../../src/errors.js';
import { CallerPlaces } from '../../../src/platform/async/caller-places.js';
import { TextMatcher } from '../../../src/sanitizer/matching/text-matcher.js';
import { usePlatform } from '../../support/servers/use-servers.js';

describe('trials of sanitizer rules', () => {
  const platform = usePlatform({ RATE_LIMIT_REQUESTS_PER_MINUTE: '50' });
  let [token, foreign] = ['', ''];

  beforeAll(async () => {
    token = (await addSignedInAdmin(platform, await addTenant(platform))).token;
    foreign = (await addSignedInAdmin(platform, await addTenant(platform))).token;
  });

  it('are done one after another, and are 429 beyond those of a user that may wait', async () => {
    const own = Array.from({ length: 40 }, () => tryOut(token));
    const others = tryOut(foreign);

    const statuses = (await Promise.all(own)).map(({ status }) => status);
    const [refused] = (await Promise.all(own)).filter(({ status }) => status === 429);

    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(11);
    expect([...new Set(statuses)].toSorted()).toEqual([200, 429]);
    expect(refused?.body.error.message).toMatch(/^Too many of your checks of sanitizer rules wait/);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await others).status).toBe(200);
  });

  it('count in the request limit', async () => {
    const before = await tryOut(foreign);
    const after = await tryOut(foreign);

    const [left, then] = [before, after].map(({ headers }) => Number(headers.get('x-ratelimit-remaining-requests')));

    expect(left).toBeGreaterThan(0);
    expect(then).toBe((left ?? 0) - 1);
  });

  it('keep no change waiting that leaves the rules of a policy as they are', async () => {
    const client = platform.as(token);
    const rules = [{ kind: 'email', action: 'mask' }];
    const { body } = await client.post(POLICIES, { name: 'Addresses', rules });
    using _ = jest.spyOn(CallerPlaces.prototype, 'take').mockRejectedValue(new Unavailable('All are taken.'));

    const disabled = await client.patch(`${POLICIES}/${body.id}`, { enabled: false });
    const changed = await client.patch(`${POLICIES}/${body.id}`, { rules });

    expect([disabled.status, disabled.body.enabled, changed.status]).toEqual([200, false, 503]);
  });

  it('compile rules in short steps, as policies that are stored do', () => {
    const words = [...TextMatcher.steps([{ kind: 'words', words: WORDS }])];
    const patterns = [...TextMatcher.steps(PATTERNS)];

    // One for each word or pattern, and others for the tables that are made of their 50,000 characters.
    expect(words.length).toBeGreaterThan(2 * WORDS.length + 90);
    expect(patterns.length).toBeGreaterThanOrEqual(PATTERNS.length);
  });

  function tryOut(as: string) {
    const rules = [{ kind: 'words', action: 'mask', words: WORDS }];
    return platform.request('POST', `${POLICIES}/test`, { token: as, body: { text: 'a text', rules } });
  }
});

const WORDS = Array.from({ length: 1_000 }, (_, n) => `${n}`.padEnd(50, 'word'));
const PATTERNS = Array.from({ length: 100 }, (_, n) => ({ kind: 'regex' as const, pattern: `[a-z]+${n}` }));
