import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RestAnswer } from '../../support/servers/platform.js';
import { POLICIES } from '../../support/builders/sanitizer-policy.js';
import { usePlatform } from '../../support/servers/use-servers.js';

describe('the trial of sanitizer rules', () => {
  const platform = usePlatform({ RATE_LIMIT_REQUESTS_PER_MINUTE: '0' });
  let token: string;

  beforeAll(async () => {
    token = (await platform.login()).access_token;
  });

  it('says where the rules match, and what they make of the text', async () => {
    const text = 'Mail ada@example.com 🙂 or bob@example.com from 192.0.2.1, then ada@example.com again.';

    const { status, body } = await tryOut(text, [rule('email', 'pseudonymize'), rule('ip', 'mask')]);

    expect([status, body.blocked]).toEqual([200, false]);
    expect(body.result).toBe('Mail <EMAIL_1> 🙂 or <EMAIL_2> from [IP], then <EMAIL_1> again.');
    expect(body.matches).toEqual([
      place(text, 'email', 'ada@example.com'),
      place(text, 'email', 'bob@example.com'),
      place(text, 'ip', '192.0.2.1'),
      place(text, 'email', 'ada@example.com', text.lastIndexOf('ada@')),
    ]);
  });

  it('counts the pseudonyms of each kind', async () => {
    const { body } = await tryOut('ada@example.com 192.0.2.1 bob@example.com', [
      rule('email', 'pseudonymize'),
      rule('ip', 'pseudonymize'),
    ]);

    expect(body.result).toBe('<EMAIL_1> <IP_1> <EMAIL_2>');
  });

  it('gives no pseudonym that the text has itself, as in a call', async () => {
    const { body } = await tryOut('ada@example.com is not <EMAIL_1>', [rule('email', 'pseudonymize')]);

    expect(body.result).toBe('<EMAIL_2> is not <EMAIL_1>');
  });

  it('masks also what is blocked, and says so', async () => {
    const { body } = await tryOut('Tell ada@example.com of Project Aurora.', [
      rule('email', 'mask'),
      rule('words', 'block', { words: ['project aurora'] }),
    ]);

    expect(body).toMatchObject({ result: 'Tell [EMAIL] of [WORDS].', blocked: true });
  });

  it.each([
    ['what blocks', ['mask', 'block'], { kind: 'regex', result: '[REGEX]', blocked: true }],
    ['the first', ['pseudonymize', 'mask'], { kind: 'email', result: '<EMAIL_1>', blocked: false }],
    ['the first', ['mask', 'pseudonymize'], { kind: 'email', result: '[EMAIL]', blocked: false }],
  ] as const)('does what one of the rules says: %s of %j', async (_which, [first, second], expected) => {
    const { body } = await tryOut('ada@example.com', [
      rule('email', first),
      rule('regex', second, { pattern: 'ada@example\\.com' }),
    ]);

    const { kind, ...told } = expected;
    expect(body).toEqual({ matches: [{ kind, start: 0, end: 15 }], ...told });
  });

  it('takes 100,000 characters, and not one more', async () => {
    const statuses = [];
    for (const length of [100_000, 100_001]) {
      const { status, body } = await tryOut('x'.repeat(length), [rule('email', 'mask')]);
      statuses.push([status, body.error?.param]);
    }

    expect(statuses).toEqual([
      [200, undefined],
      [400, 'text'],
    ]);
  });

  it('ends where rules take too long, and lets others have their turn meanwhile', async () => {
    const rules = Array.from({ length: 5 }, (_, index) => rule('regex', 'mask', { pattern: `\\pL{0,900}${index}` }));
    const turns: number[] = [];
    let ended = false;

    const trial = tryOut(`${'é'.repeat(3_600)}\n`.repeat(20), rules).finally(() => {
      ended = true;
    });
    for (; !ended;) turns.push((await platform.request('GET', '/health/ready')).status);
    const { status, body } = await trial;

    expect([status, body.error?.code]).toEqual([422, 'content_blocked']);
    expect(turns.length).toBeGreaterThan(5);
  });

  it.each([
    ['has a match that is too long', `${'begin'.padEnd(5_000, '.')}end`, 'begin.*end', 'could not be evaluated'],
    ['becomes too long', manyCharacters(99_999), '.', 'makes this content too long'],
  ])('answers as a call does where a text %s', async (_what, text, pattern, message) => {
    const rules = [rule('regex', 'pseudonymize', { pattern })];
    const policy = await platform.request('POST', POLICIES, { token, body: { name: 'x', rules } });

    const trial = await tryOut(text, rules);
    const call = await platform.request('POST', '/v1/completions', {
      token,
      body: { model: 'builtin-extractive', prompt: text },
    });
    await platform.request('DELETE', `${POLICIES}/${policy.body.id}`, { token });

    expect([trial.status, trial.body.error]).toEqual([422, call.body.error]);
    expect(call.body.error.message).toContain(message);
  });

  it('stores nothing, and is for administrators alone', async () => {
    await tryOut('ada@example.com', [rule('email', 'mask')]);

    const rows = await platform.query('SELECT id FROM sanitizer_policies');
    const anonymous = await platform.request('POST', `${POLICIES}/test`, { body: { text: '', rules: [] } });

    expect([rows, anonymous.status]).toEqual([[], 401]);
    expect(platform.logLines.join('\n')).not.toContain('ada@example.com');
  });

  it('is the same over GraphQL', async () => {
    const query = `mutation { testSanitizerPolicy(text: "to ada@example.com", rules: [
      { kind: email, action: block }]) { matches { kind start end } result blocked } }`;

    const { body } = await platform.graphql(query, {}, token);

    expect(body.data.testSanitizerPolicy).toEqual({
      matches: [{ kind: 'email', start: 3, end: 18 }],
      result: 'to [EMAIL]',
      blocked: true,
    });
  });

  function tryOut(text: string, rules: object[]): Promise<RestAnswer> {
    return platform.request('POST', `${POLICIES}/test`, { token, body: { text, rules } });
  }
});

function rule(kind: string, action: string, members: object = {}) {
  return { kind, action, ...members };
}

function place(text: string, kind: string, found: string, start = text.indexOf(found)) {
  return { kind, start, end: start + found.length };
}

/** Most of them have pseudonyms of twelve characters. */
function manyCharacters(count: number): string {
  return Array.from({ length: count }, (_, index) => String.fromCharCode(0x4e00 + (index % 5_000))).join('');
}
