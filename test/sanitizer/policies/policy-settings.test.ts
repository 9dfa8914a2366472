import { beforeAll, describe, expect, it } from '@jest/globals';
import { addSanitizerPolicy, deleteSanitizerPolicies, POLICIES } from '../../support/builders/sanitizer-policy.js';
import { usePlatform } from '../../support/servers/use-servers.js';

const EMAIL = { kind: 'email', action: 'mask' };
const regex = (pattern: unknown) => ({ kind: 'regex', action: 'mask', pattern });
const words = (list: unknown) => ({ kind: 'words', action: 'mask', words: list });

describe('a sanitizer policy', () => {
  const platform = usePlatform({ RATE_LIMIT_REQUESTS_PER_MINUTE: '0' });
  let token: string;

  beforeAll(async () => {
    token = (await platform.login()).access_token;
  });

  it.each(wrongSettings())('names %s where it is wrong: %j', async (param, members) => {
    const made = await addSanitizerPolicy(platform, token, members);

    expect([made.status, made.body.error.param]).toEqual([400, param]);
    expect(made.body.error.message).toContain(param);
  });

  it.each(wrongSettings())('names %s where a patch makes it wrong: %j', async (param, members) => {
    const { body } = await addSanitizerPolicy(platform, token);

    const patched = await platform.as(token).patch(`${POLICIES}/${body.id}`, members);
    const after = await platform.as(token).get(`${POLICIES}/${body.id}`);
    await platform.as(token).delete(`${POLICIES}/${body.id}`);

    expect([patched.status, patched.body.error.param]).toEqual([400, param]);
    expect(after.body).toEqual(body);
  });

  it.each(['name', 'rules'])('needs %s', async (param) => {
    const { status, body } = await addSanitizerPolicy(platform, token, { [param]: undefined });

    expect([status, body.error.param]).toEqual([400, param]);
  });

  it.each(wrongRules())('is tried with rules alone that are right; %s is named otherwise: %j', async (param, rule) => {
    const body = { text: 'x', rules: [EMAIL, rule] };

    const tried = await platform.as(token).post(`${POLICIES}/test`, body);

    expect([tried.status, tried.body.error.param]).toEqual([400, param]);
  });

  it('may not have patterns that repeat too much together', async () => {
    const rules = Array.from({ length: 12 }, (_, index) => regex(`[a-z]{900}${index}`));

    const { status, body } = await addSanitizerPolicy(platform, token, { rules });

    expect([status, body.error.param]).toEqual([400, 'rules']);
  });

  it('may not have more patterns than all policies of its owner may have together', async () => {
    await deleteSanitizerPolicies(platform, token);
    const rules = Array.from({ length: 100 }, (_, index) => regex(`x${index}`));
    const first = await addSanitizerPolicy(platform, token, { rules });
    const second = await addSanitizerPolicy(platform, token, { rules: rules.slice(0, 99) });
    const path = `${POLICIES}/${second.body.id}`;

    const third = await addSanitizerPolicy(platform, token, { rules: rules.slice(0, 2) });
    const patched = await platform.as(token).patch(path, { rules });
    const fourth = await addSanitizerPolicy(platform, token, { rules: rules.slice(0, 1) });

    expect([first, second, third, patched, fourth].map(({ status }) => status)).toEqual([201, 201, 409, 200, 409]);
    await deleteSanitizerPolicies(platform, token);
  });

  it('may not have more characters of words than all policies of its owner may have together', async () => {
    await deleteSanitizerPolicies(platform, token);
    const rules = [words(Array.from({ length: 250 }, (_, index) => `${index}`.padEnd(200, 'w')))];
    const made = [];

    for (const list of [rules, rules, [words(['w'])]]) {
      made.push(await addSanitizerPolicy(platform, token, { rules: list }));
    }

    expect(made.map(({ status }) => status)).toEqual([201, 201, 409]);
    await deleteSanitizerPolicies(platform, token);
  });

  it('may be as large as it may be', async () => {
    const rules = [
      ...Array.from({ length: 100 }, (_, index) => regex(`x${index}`.padEnd(1_000, 'x'))),
      words(Array.from({ length: 1_000 }, (_, index) => `w${index}`.padEnd(50, 'w'))),
      ...Array.from({ length: 99 }, () => EMAIL),
    ];

    const { status } = await addSanitizerPolicy(platform, token, { name: 'n'.repeat(100), rules, priority: -1_000 });

    expect(status).toBe(201);
  });
});

function wrongSettings(): [param: string, members: object][] {
  return [
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: 'a\u0000b' }],
    ['name', { name: null }],
    ['rules', { rules: [] }],
    ['rules', { rules: null }],
    ['rules', { rules: EMAIL }],
    ['rules', { rules: Array.from({ length: 201 }, () => EMAIL) }],
    ['rules', { rules: Array.from({ length: 101 }, () => regex('a')) }],
    [
      'rules',
      { rules: [words(Array.from({ length: 501 }, () => 'a')), words(Array.from({ length: 500 }, () => 'b'))] },
    ],
    ['rules', { rules: [words(Array.from({ length: 251 }, () => 'x'.repeat(200)))] }],
    ['unreadable', { unreadable: 'maybe' }],
    ['unreadable', { unreadable: null }],
    ['enabled', { enabled: 'yes' }],
    ['enabled', { enabled: null }],
    ['priority', { priority: 1_001 }],
    ['priority', { priority: -1_001 }],
    ['priority', { priority: 0.5 }],
    ['priority', { priority: null }],
    ...wrongRules().map(([param, rule]): [string, object] => [param, { rules: [EMAIL, rule] }]),
  ];
}

/** The second of two rules. */
function wrongRules(): [param: string, rule: object][] {
  return [
    ['rules[1].kind', { action: 'mask' }],
    ['rules[1].action', { kind: 'email' }],
    ['rules[1].appliesTo', { ...EMAIL, appliesTo: 'input' }],
    ['rules[1].applies_too', { ...EMAIL, applies_too: 'input' }],
    ['rules[1].kind', { ...EMAIL, kind: 'name' }],
    ['rules[1].action', { ...EMAIL, action: 'hide' }],
    ['rules[1].applies_to', { ...EMAIL, applies_to: 'all' }],
    ['rules[1].applies_to', { ...EMAIL, applies_to: null }],
    ['rules[1].pattern', regex(1)],
    ['rules[1].pattern', regex(undefined)],
    ['rules[1].pattern', regex(null)],
    ['rules[1].pattern', regex('')],
    ['rules[1].pattern', regex('x'.repeat(1_001))],
    ['rules[1].pattern', regex('a\u0000b')],
    ['rules[1].pattern', regex('(unclosed')],
    ['rules[1].pattern', regex('(?=ahead)')],
    ['rules[1].pattern', { ...EMAIL, pattern: 'x' }],
    ['rules[1].words', words(undefined)],
    ['rules[1].words', words([])],
    ['rules[1].words', { ...EMAIL, words: ['x'] }],
    ['rules[1].words[0]', words([''])],
    ['rules[1].words[0]', words(['  '])],
    ['rules[1].words[1]', words(['x', 'x'.repeat(201)])],
    ['rules[1].words[0]', words(['\ud800'])],
    ['rules[1].words', words(Array.from({ length: 1_001 }, () => 'x'))],
    ['rules[1].region', { kind: 'phone', action: 'mask', region: 'de' }],
    ['rules[1].region', { kind: 'phone', action: 'mask', region: 'XX' }],
    ['rules[1].region', { ...EMAIL, region: 'DE' }],
  ];
}
