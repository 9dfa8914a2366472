import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addDirectory, tryToSignIn } from '../../support/builders/directories.js';
import { eventually } from '../../support/probes/eventually.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import {
  ber,
  idOf,
  isBind,
  ldapEntry,
  ldapMessage,
  ldapResult,
  ScriptedDirectory,
} from '../../support/servers/scripted-directory.js';

describe('a directory that means ill', () => {
  let platform: Platform;
  let token: string;
  beforeAll(async () => ({ platform, token } = await setUp()));
  afterAll(() => platform.close());

  it.each<[string, string, (socket: Socket) => void]>([
    ['says nothing', 'timeout', () => undefined],
    ['closes at once', 'unreachable', (socket) => socket.end()],
    ['closes in the middle of a message', 'unreachable', answer((id) => found(id).subarray(0, 20), 'end')],
    ['speaks another language', 'protocol', (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n')],
    ['sends noise', 'protocol', answer(() => Buffer.alloc(1_000, 0xa5))],
    ['promises a message of 4 GiB', 'protocol', answer(() => Buffer.from('3084ffffffff0201', 'hex'))],
    ['sends lengths without a bound', 'protocol', answer(() => Buffer.from('3080020101', 'hex'))],
    ['sends a value that reaches beyond its message', 'protocol', answer(() => Buffer.from(BEYOND, 'hex'))],
    ['answers what nobody asked', 'protocol', answer((id) => ldapMessage(id + 1, ldapResult(0x65)))],
    ['sends entries for ever', 'protocol', answer((id) => Buffer.concat(Array(200).fill(found(id))), 'again')],
    ['sends references for ever', 'protocol', answer((id) => Buffer.concat(Array(200).fill(reference(id))), 'again')],
    ['sends an entry of many megabytes', 'protocol', answer((id) => huge(id))],
    ['sends single bytes for ever', 'timeout', (socket) => drip(socket)],
    ['answers with a referral', 'result', answer((id) => ldapMessage(id, ldapResult(0x65, 10)))],
  ])('that %s is 503 though it goes on, and no connection is left', async (_, failure, script) => {
    const from = platform.logLines.length;
    const directory = await ScriptedDirectory.start(script);
    await platform.request('PATCH', await provider(), { token, body: { url: directory.url } });

    const { status } = await tryToSignIn(platform, 'alice@example.test', 'alicepw');

    const lines = platform.logLines.slice(from).map((line) => JSON.parse(line));
    await eventually('the server has hung up', 5, () => directory.connections === 0);
    await directory.close();
    expect(status).toBe(503);
    expect(lines).toContainEqual(expect.objectContaining({ level: 40, failure }));
    expect(lines.filter(({ level }) => level > 40)).toEqual([]);
  });

  it('that sends an entry without a name signs nobody in, whatever it says of the password', async () => {
    const entry = { mail: 'alice@example.test', entryuuid: '0b1f6c4e-3a55-4f0e-9c7c-1d2e3f405162' };
    const directory = await ScriptedDirectory.start(
      answerAll((id) => Buffer.concat([ldapMessage(id, ldapEntry('', entry)), done(id)])),
    );
    await platform.request('PATCH', await provider(), { token, body: { url: directory.url } });

    const { status } = await tryToSignIn(platform, 'alice@example.test', 'alicepw');

    await directory.close();
    expect(status).toBe(401);
  });

  it.each(['\0', '\0alicepw', 'alice\0pw', 'alicepw\n', '\u007f', '\u0085'])(
    'that takes every bind never gets to see the password %j',
    async (password) => {
      await platform.query('DELETE FROM attempt_counters');
      const entry = { mail: 'alice@example.test', entryuuid: '0b1f6c4e-3a55-4f0e-9c7c-1d2e3f405162' };
      let requests = 0;
      const answerYes = answerAll((id) => Buffer.concat([ldapMessage(id, ldapEntry('uid=alice', entry)), done(id)]));
      const directory = await ScriptedDirectory.start((socket) => {
        answerYes(socket.on('data', () => (requests += 1)));
      });
      await platform.request('PATCH', await provider(), { token, body: { url: directory.url } });

      const refused = await tryToSignIn(platform, 'alice@example.test', password);
      const overGraphql = await platform.graphql(LOGIN, { password });
      const before = requests;
      const taken = await tryToSignIn(platform, 'alice@example.test', 'alicepw');

      await directory.close();
      expect([refused.status, overGraphql.body.errors[0].extensions.code]).toEqual([401, 'unauthorized']);
      expect([before, taken.status]).toEqual([0, 200]);
    },
  );

  async function provider(): Promise<string> {
    const { body } = await platform.request('GET', '/v1/admin/identity-providers', { token });
    return `/v1/admin/identity-providers/${body.data[0].id}`;
  }
});

const LOGIN = 'mutation ($password: String!) { login(email: "alice@example.test", password: $password) { tokenType } }';

/** An entry whose value says that it is longer than all of the message; ldapts never comes to an end with it. */
const BEYOND = '3011020101640c040030083006040161310204' + '7f';

function found(id: number): Buffer {
  return ldapMessage(id, ldapEntry('uid=alice', { mail: 'alice@example.test' }));
}

function done(id: number): Buffer {
  return ldapMessage(id, ldapResult(0x65));
}

function reference(id: number): Buffer {
  return ldapMessage(id, ber(0x73, ber(0x04, 'ldap://169.254.169.254/')));
}

function huge(id: number): Buffer {
  return ldapMessage(id, ldapEntry('uid=alice', { mail: 'x'.repeat(4_000_000) }));
}

/** Answers the first request. */
function answer(make: (id: number) => Buffer, next?: 'end' | 'again'): (socket: Socket) => void {
  return (socket) =>
    socket.once('data', (request: Buffer) => {
      const id = idOf(request);
      const send = (): void => {
        if (socket.destroyed) return;
        socket.write(make(id), () => next === 'again' && setImmediate(send));
        if (next === 'end') socket.end();
      };
      send();
    });
}

/** Answers searches, and says yes to every bind. */
function answerAll(make: (id: number) => Buffer): (socket: Socket) => void {
  return (socket) =>
    socket.on('data', (request: Buffer) => {
      const id = idOf(request);
      socket.write(isBind(request) ? ldapMessage(id, ldapResult(0x61)) : make(id));
    });
}

function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write(Buffer.from([0x30])), 20);
  socket.on('close', () => clearInterval(timer));
  socket.write(Buffer.from([0x30, 0x84, 0x00, 0x00, 0xff, 0xff]));
}

async function setUp(): Promise<{ platform: Platform; token: string }> {
  const platform = await startPlatform();
  const { access_token: token } = await platform.login();
  await addDirectory(platform, token, {
    kind: 'ldap',
    name: 'Hostile',
    domains: ['example.test'],
    url: 'ldap://127.0.0.1:1024',
    base_dn: 'dc=example,dc=test',
    timeout_seconds: 3,
  });
  return { platform, token };
}
