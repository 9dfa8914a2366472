import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfig } from '../src/config.js';
import { printStartupBanner } from '../src/startup-banner.js';
import { createTestDatabaseFolder } from './support/servers/database.js';
import { ServerProcess } from './support/servers/server-process.js';

const PASSWORD = 'aK3-generated-password-xY';

describe('the password of the first administrator', () => {
  let [folder, file] = ['', ''];
  beforeEach(prepare);
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each(['production', 'development'])('is shown once on a terminal, and kept nowhere (%s)', (mode) => {
    const text = print(mode, { isTTY: true });

    expect(text).toContain(`  password  ${PASSWORD}\n`);
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });

  it('is in its file alone where the output of a production server may be a log', () => {
    const text = print('production', {});

    expect(text).not.toContain(PASSWORD);
    expect(text).toContain(`is in ${file}:`);
    expect(readFileSync(file, 'utf8')).toBe(PASSWORD);
  });

  it('is shown by a development server without a terminal too, and stays in its file', () => {
    const text = print('development', {});

    expect(text).toContain(`  password  ${PASSWORD}\n`);
    expect(readFileSync(file, 'utf8')).toBe(PASSWORD);
  });

  it('is not repeated where it was configured', () => {
    const text = print('production', {}, 'configured');

    expect(text).toContain('with the password from BOOTSTRAP_ADMIN_PASSWORD');
  });

  it.each([true, false])('is named by later starts until its file is deleted (terminal: %s)', (isTTY) => {
    const text = print('development', { isTTY }, 'made before');
    rmSync(file);
    const later = print('development', { isTTY }, 'made before');

    expect(text).toContain(`was given is in ${file}: sign in, then delete the file.\n`);
    expect(text).not.toContain(PASSWORD);
    expect(later).not.toContain(file);
  });

  it('signs in from the file of a production server, whose output does not have it', async () => {
    const database = await createTestDatabaseFolder();
    const server = await ServerProcess.start({ ...database.env, NODE_ENV: 'production', SHUTDOWN_SECONDS: '2' });
    const [, path = ''] = await server.says(/is in (\S+first-admin-password):/);
    const [, address] = await server.says(/"address":"(http:[^"]+)"/);

    const password = readFileSync(path, 'utf8').trim();
    const { status } = await fetch(`${address}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'admin@localhost', password }),
    });
    server.signal('SIGTERM');
    const { stdout, stderr } = await server.ending();
    await database.drop();

    expect(status).toBe(200);
    expect(stdout + stderr).not.toContain(password);
  });

  function prepare(): void {
    folder = mkdtempSync(join(tmpdir(), 'banner-'));
    file = join(folder, 'first-admin-password');
    writeFileSync(file, PASSWORD);
  }

  function print(mode: string, output: { isTTY?: boolean }, how = 'generated'): string {
    const lines: string[] = [];
    const generated = how === 'generated' ? { password: PASSWORD, passwordFile: file } : undefined;
    const write = (text: string) => lines.push(text);
    const admin = how === 'made before' ? undefined : { email: 'admin@localhost', generated };
    const config = readConfig({ NODE_ENV: mode, DATA_DIR: folder });
    printStartupBanner(config, 'http://127.0.0.1:8080', admin, { ...output, write });
    return lines.join('');
  }
});
