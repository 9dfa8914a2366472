import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addDirectory, tryToSignIn } from '../../support/builders/directories.js';
import { eventually } from '../../support/probes/eventually.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import {
  idOf,
  isBind,
  ldapEntry,
  ldapMessage,
  ldapResult,
  ScriptedDirectory,
} from '../../support/servers/scripted-directory.js';

describe('a sign-in by a directory whose settings are replaced meanwhile', () => {
  let [platform, directory, held]: [Platform, ScriptedDirectory, (() => void)[]] = [] as never;
  beforeAll(async () => {
    [platform, held] = [await startPlatform(), []];
    directory = await ScriptedDirectory.start((socket) => holdBinds(socket, held));
  });
  afterAll(() => Promise.all([platform.close(), directory.close()]));

  it('does not end by those before', async () => {
    const { access_token: token } = await platform.login();
    const settings = { kind: 'ldap', name: 'Directory', domains: ['example.test'], base_dn: 'dc=before' };
    const id = await addDirectory(platform, token, { ...settings, url: directory.url });
    const signingIn = tryToSignIn(platform, 'alice@example.test', 'alicepw');
    await eventually('the password is asked for', 10, () => held.length === 1);
    const body = { base_dn: 'dc=after' };
    const changed = await platform.request('PATCH', `/v1/admin/identity-providers/${id}`, { token, body });
    held.shift()?.();

    const { status } = await signingIn;

    const again = tryToSignIn(platform, 'alice@example.test', 'alicepw');
    await eventually('the password is asked for', 10, () => held.length === 1);
    held.shift()?.();
    expect([changed.status, status, (await again).status]).toEqual([200, 401, 200]);
  });
});

/** Finds one person, whatever is searched for, and answers a bind with yes as soon as it is let go. */
function holdBinds(socket: Socket, held: (() => void)[]): void {
  const person = { mail: 'alice@example.test', cn: 'Alice', entryuuid: '0b1f6c4e-3a55-4f0e-9c7c-1d2e3f405162' };
  socket.on('data', (request: Buffer) => {
    const id = idOf(request);
    if (isBind(request)) held.push(() => socket.write(ldapMessage(id, ldapResult(0x61))));
    else
      socket.write(Buffer.concat([ldapMessage(id, ldapEntry('cn=alice', person)), ldapMessage(id, ldapResult(0x65))]));
  });
}
