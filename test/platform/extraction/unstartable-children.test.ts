import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { pino } from 'pino';
import type { AnyJson } from '../../support/probes/any-json.js';
import { openPool, PROBE, trialOf, unaborted } from '../../support/servers/children/probe.js';
import { createTestDatabaseFolder } from '../../support/servers/database.js';
import type { TestDatabase } from '../../support/servers/database.js';
import { ServerProcess } from '../../support/servers/server-process.js';

jest.setTimeout(60_000); // Processes that start a server take a while on a busy machine.

describe('a child that cannot be started', () => {
  it.each([
    ['its file is not there', { ...PROBE, entry: new URL('./missing.child.ts', PROBE.entry) }, 'pid'],
    ['a program that it needs is not there', { ...PROBE, startsPrograms: true }, 'missingProgram'],
  ])('is 503 with a line in the log: %s', async (_, command, trial) => {
    const lines: string[] = [];
    using pool = openPool({ log: pino({ base: undefined }, { write: (line: string) => void lines.push(line) }) });

    const answers = pool.run(command, { task: trialOf(trial), input: Readable.from([]), signal: unaborted() });

    await expect(answers.next()).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '30' } });
    const line = { level: 50, child: 'probe', msg: expect.stringContaining('cannot be started') };
    expect(lines.map((one) => JSON.parse(one))).toEqual([expect.objectContaining(line)]);
  });
});

describe('a server whose packages are a symbolic link', () => {
  let [database, folder]: [TestDatabase, string] = [] as never;
  beforeAll(async () => {
    [database, folder] = [await createTestDatabaseFolder(), await mkdtemp(join(tmpdir(), 'linked-server-'))];
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  it('blames no file that is uploaded, and says in the log what to do', async () => {
    const env = {
      ...database.env,
      BUILTIN_BACKEND: 'true',
      BOOTSTRAP_ADMIN_EMAIL: EMAIL,
      BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
    };
    const server = await ServerProcess.start(env, undefined, folder);
    const [, address = ''] = await server.says(/serving at (http\S+)/);
    const ask = clientOf(address);
    const { access_token: token } = await ask('/v1/auth/login', { email: EMAIL, password: PASSWORD });
    const { id } = await ask('/v1/knowledgebases', { name: 'Notes' }, token);
    const form = new FormData();
    form.set('file', new Blob(['It opens at nine.']), 'notes.txt');

    await ask(`/v1/knowledgebases/${id}/files`, form, token);
    await server.says(/"child":"extraction","msg":"[^"]*cannot be started: node_modules/);
    const { data } = await ask(`/v1/knowledgebases/${id}/files`, undefined, token);
    server.signal('SIGTERM');
    await server.ending();

    expect(data[0].error ?? '').not.toContain('damaged');
    expect(data[0].status).not.toBe('failed');
  });
});

const EMAIL = 'admin@example.test';
const PASSWORD = 'a long and winding road';

/** Asks the server; with a body it is a POST. */
function clientOf(address: string): (path: string, body?: object, token?: string) => Promise<AnyJson> {
  return async (path, body, token) => {
    const isForm = body instanceof FormData;
    const response = await fetch(address + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    return response.json();
  };
}
