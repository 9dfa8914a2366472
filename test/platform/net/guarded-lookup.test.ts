import { lookup } from 'node:dns/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publicAddresses } from '../../../src/platform/net/address-rule.js';
import { guardedLookup } from '../../../src/platform/net/guarded-lookup.js';
import { NameServer } from '../../support/servers/name-server.js';

const PUBLIC = '93.184.216.34';

describe('the lookup of a name that a user has given', () => {
  let server: NameServer;

  beforeAll(async () => {
    server = await NameServer.start(names());
  });
  afterAll(() => server.close());

  it.each([
    ['public.test', [PUBLIC]],
    ['mixed.test', [PUBLIC]],
    ['private.test', 'EACCES'],
    ['localhost', 'EACCES'],
    ['any.localhost.', 'EACCES'],
    ['missing.test', 'ENOTFOUND'],
  ])('answers of %s what is allowed', async (name, expected) => {
    expect(await ask(name)).toEqual(expected);
  });

  it('answers one address where one is asked for', async () => {
    const found = await new Promise((resolve) => {
      const options = { all: false, family: 4 };
      guarded()('mixed.test', options, (_error, address, family) => resolve([address, family]));
    });

    expect(found).toEqual([PUBLIC, 4]);
  });

  it('answers this machine where the operator allows it', async () => {
    expect(await ask('localhost', ['127.0.0.0/8', '::1'])).toEqual(['127.0.0.1', '::1']);
  });

  it('gains nothing for a name that turns elsewhere', async () => {
    const answers = [];
    for (let time = 0; time < 4; time += 1) answers.push(await ask('turning.test'));

    expect(answers).toEqual([[PUBLIC], 'EACCES', [PUBLIC], 'EACCES']);
  });

  it('asks once for all that wait for the same name', async () => {
    const lookupOfOne = guarded();

    const answers = await Promise.all(Array.from({ length: 50 }, () => ask('shared.test', [], lookupOfOne)));

    expect(answers).toEqual(Array(50).fill([PUBLIC]));
    expect(server.questions.filter((name) => name === 'shared.test')).toHaveLength(1);
  });

  it('holds up no other name where a name server is silent', async () => {
    const silent = Array.from({ length: 20 }, () => ask('silent.test'));
    const first = Promise.race([
      ...silent.map((asked) => asked.then(() => 'silent')),
      lookup('localhost').then(() => 'other'),
    ]);

    expect(await first).toBe('other');
    expect(await Promise.all(silent)).toEqual(Array(20).fill('EAI_AGAIN'));
  });

  function guarded(allow: string[] = []): ReturnType<typeof guardedLookup> {
    return guardedLookup(publicAddresses(allow), [server.address]);
  }

  /** The addresses, or the code of the error. */
  function ask(name: string, allow: string[] = [], by = guarded(allow)): Promise<unknown> {
    return new Promise((resolve) => {
      by(name, { all: true }, (error, found) => {
        resolve(error?.code ?? (found as { address: string }[]).map(({ address }) => address));
      });
    });
  }
});

function names(): Parameters<typeof NameServer.start>[0] {
  return {
    'public.test': [[PUBLIC]],
    'mixed.test': [['10.0.0.1', PUBLIC, '127.0.0.1']],
    'private.test': [['10.0.0.1', '169.254.169.254']],
    'turning.test': [[PUBLIC], ['127.0.0.1']],
    'shared.test': [[PUBLIC]],
    'silent.test': 'silent',
    'missing.test': 'missing',
  };
}
