import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { rotateSecretKeyCommand } from '../../src/cli/commands/rotate-secret-key.js';
import { lockFolder } from '../../src/platform/database/embedded-database-lock.js';
import { runCommand } from '../support/servers/command.js';
import { runCommandProcess } from '../support/servers/command-process.js';
import { createTestDatabaseFolder } from '../support/servers/database.js';
import { onEmbedded } from '../support/servers/services.js';

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];

describe('the command that changes the secret key', () => {
  const keys = { SECRET_KEY: NEW.toString('hex'), SECRET_KEY_PREVIOUS: OLD.toString('hex') };

  it('ends well as a process when everything opens by the new key', async () => {
    const database = await createTestDatabaseFolder();

    const ended = await runCommandProcess('rotate-secret-key', { env: { ...database.env, ...keys } });
    await database.drop();

    expect(ended).toEqual({ code: 0, output: expect.stringContaining('SECRET_KEY_PREVIOUS can be removed') });
  });

  onEmbedded.it('is refused while a server uses an embedded database', async () => {
    const database = await createTestDatabaseFolder();
    const lock = await lockFolder(database.env.DATA_DIR as string);

    const ended = await runCommand(rotateSecretKeyCommand, { env: { ...database.env, ...keys } });
    await lock.release();
    await database.drop();

    expect(ended).toEqual({ code: 1, output: expect.stringContaining('in use by process') });
  });
});
