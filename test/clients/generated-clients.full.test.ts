import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPlatform } from '../support/servers/platform.js';
import type { Platform } from '../support/servers/platform.js';
import type { Report } from './generated/programs/report.js';

const run = promisify(execFile);
const HERE = fileURLToPath(new URL('./generated/', import.meta.url));
const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const GENERATORS = ['openapi-fetch', 'hey-api', 'orval'];

describe('a client that is generated from the description', () => {
  const folder = mkdtempSync(join(tmpdir(), 'generated-clients-'));
  let platform: Platform;

  beforeAll(async () => {
    platform = await startPlatform();
    await generateClients();
  }, 60_000);
  afterAll(() => platform.close().finally(() => rmSync(folder, { recursive: true, force: true })));

  it('compiles under `tsc --strict`, with programs that use it', async () => {
    const [compiler, types] = [join(MODULES, 'typescript/bin/tsc'), join(MODULES, '@types')];
    const problems = await run(process.execPath, [compiler, '-p', folder, '--typeRoots', types]).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );

    expect(problems).toBe('');
    expect(readdirSync(join(folder, 'built')).sort()).toEqual(
      ['report.js', ...GENERATORS.flatMap((name) => [name, `${name}.js`])].sort(),
    );
  }, 60_000);

  it.each(GENERATORS)('signs in, asks, streams, rotates a token and reads an error: %s', async (name) => {
    const env = { PLATFORM_URL: platform.url, EMAIL: platform.admin.email, PASSWORD: platform.admin.password };

    const { stdout } = await run(process.execPath, [join(folder, 'built', `${name}.js`)], { env });

    const { models, answer, streamed, token, refused } = JSON.parse(stdout) as Report;
    expect(models).toContain('builtin-extractive');
    expect(answer).toBe('Lunch is served at noon.');
    expect(streamed).toBe(answer);
    expect(token).toEqual({ id: expect.stringMatching(/^tok_/), hasNewSecret: true, deleted: 204, gone: 404 });
    expect(refused).toEqual({ code: 'bad_request', param: 'model' });
  });

  async function generateClients(): Promise<void> {
    const { body } = await platform.request('GET', '/openapi.json');
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(body));
    await run(process.execPath, [join(HERE, 'generate.ts'), join(folder, 'openapi.json'), folder, platform.url]);
    cpSync(join(HERE, 'programs'), folder, { recursive: true });
    cpSync(join(HERE, 'tsconfig.json'), join(folder, 'tsconfig.json'));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    symlinkSync(join(import.meta.dirname, 'node_modules'), join(folder, 'node_modules'));
  }
});
