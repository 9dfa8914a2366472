import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { configShapes, readConfig } from '../src/config.js';

describe('configuration', () => {
  it('has every variable in .env.example, and no other', () => {
    const text = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');

    const names = [...text.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name);

    expect(names).toEqual(configShapes.flatMap(({ shape }) => Object.keys(shape)));
    expect(new Set(names).size).toBe(names.length);
  });

  it('has the same defaults in .env.example as in the code', () => {
    const text = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');
    const written = Object.fromEntries(
      [...text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );

    expect(readConfig(written)).toEqual(readConfig({}));
  });

  it('reports all problems together', () => {
    const read = () => readConfig({ PORT: 'many', TRUST_PROXY: '10.0.0.0/99', BUILTIN_BACKEND: 'maybe' });

    expect(read).toThrow(/PORT[\s\S]*BUILTIN_BACKEND[\s\S]*TRUST_PROXY|PORT[\s\S]*TRUST_PROXY/);
    expect(read).toThrow(/BUILTIN_BACKEND/);
  });

  it('reports every service key that is wrong, and shows none of them', () => {
    const hash = 'ab'.repeat(32);
    const keys = [
      `key_a:${hash}`,
      'key_b:a secret in the wrong place',
      `c:${hash}`,
      `key_a:${hash}`,
      `key_d.x:${hash}`,
    ];
    const message = () => {
      try {
        return String(readConfig({ SERVICE_KEYS: keys.join(',') }));
      } catch (error) {
        return (error as Error).message;
      }
    };

    expect(message().match(/SERVICE_KEYS: key \d/g)).toEqual(
      [2, 3, 4, 5].map((number) => `SERVICE_KEYS: key ${number}`),
    );
    expect(message()).not.toContain('secret in the wrong place');
    expect(readConfig({ SERVICE_KEYS: `key_a:${hash}, key_b:${hash.toUpperCase()}` }).serviceKeys).toEqual([
      { id: 'key_a', secretHash: Buffer.from(hash, 'hex') },
      { id: 'key_b', secretHash: Buffer.from(hash, 'hex') },
    ]);
  });

  it.each(['people.example.test', 'ftp://people.example.test', 'https://people.example.test/#/accounts'])(
    'refuses a page of accounts that mails cannot lead to: %s',
    (PASSWORD_PAGE_URL) => {
      expect(() => readConfig({ PASSWORD_PAGE_URL })).toThrow(/PASSWORD_PAGE_URL: must/);
    },
  );

  it.each([
    ['PASSWORD_PAGE_URL', 'https://people.example.test/account\n'],
    ['PUBLIC_URL', 'https:ai.example.test'],
    ['OPENAI_BASE_URL', 'http://models.example.test/v1 '],
    ['SMTP_URL', 'smtp://mail.exam\tple.test'],
  ])('refuses what is an address to a parser alone, as %s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`${name}: must be a URL`));
  });

  it('wants a secret key with a database server, of 32 bytes', () => {
    const url = 'postgres://user@127.0.0.1/name';

    expect(() => readConfig({ DATABASE_URL: url })).toThrow(/SECRET_KEY: required/);
    expect(() => readConfig({ DATABASE_URL: url, SECRET_KEY: 'abcd' })).toThrow(/SECRET_KEY: must be 32 bytes/);
    expect(readConfig({ DATABASE_URL: url, SECRET_KEY: 'ab'.repeat(32) }).secretKey).toHaveLength(32);
  });

  it('refuses to listen beyond this machine without TLS, unless told so', () => {
    expect(() => readConfig({ HOST: '0.0.0.0' })).toThrow(/TLS_CERT_FILE/);
    expect(readConfig({ HOST: '0.0.0.0', ALLOW_PLAINTEXT: 'true' }).host).toBe('0.0.0.0');
    expect(readConfig({ HOST: '0.0.0.0', TRUST_PROXY: '10.0.0.0/8' }).trustProxy).toEqual(['10.0.0.0/8']);
    expect(readConfig({ HOST: '::1' }).host).toBe('::1');
  });

  it('keeps hours of usage no shorter than the calls that they count', () => {
    expect(() => readConfig({ USAGE_HOURS_RETENTION_DAYS: '30' })).toThrow(/USAGE_HOURS_RETENTION_DAYS/);
    expect(() => readConfig({ USAGE_CALLS_RETENTION_DAYS: '0', USAGE_HOURS_RETENTION_DAYS: '30' })).toThrow(/HOURS/);
    expect(readConfig({ USAGE_CALLS_RETENTION_DAYS: '30', USAGE_HOURS_RETENTION_DAYS: '30' })).toMatchObject({
      usageCallsRetentionDays: 30,
      usageHoursRetentionDays: 30,
    });
  });

  it('takes ports and ranges of ports, and nothing else for them', () => {
    expect(readConfig({ EGRESS_PORTS: '80, 443,1024-65535' }).egressPorts).toEqual([
      [80, 80],
      [443, 443],
      [1024, 65535],
    ]);
    for (const wrong of ['http', '0', '80-', '90-80', '1-65536', '80;443', ',']) {
      expect(() => readConfig({ EGRESS_PORTS: wrong })).toThrow(/EGRESS_PORTS/);
    }
  });

  it('takes an empty variable for one that is not set', () => {
    expect(readConfig({ DATABASE_URL: '', PORT: '' }).port).toBe(8080);
  });
});
