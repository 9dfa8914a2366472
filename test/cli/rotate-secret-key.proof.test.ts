import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createApp } from '../../src/app.js';
import { silentLog } from '../support/probes/silent-log.js';
import { runCommandProcess } from '../support/servers/command-process.js';
import { createTestDatabaseFolder } from '../support/servers/database.js';
import { SecretRotation } from '../support/servers/secret-rotation.js';

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];

test('changing the secret key goes on where it was killed; until it is over no server starts without the previous key', async () => {
  const rotation = await SecretRotation.start(OLD, createTestDatabaseFolder);
  await rotation.addWaitingMails(3_000);
  const database = rotation.withKeys(NEW, OLD);

  const [killed, start, ended] = await rotation.platform.whileStopped(async () => {
    rotation.setKeys(NEW);
    return [
      await runCommandProcess('rotate-secret-key', database, /backends/),
      await createApp(rotation.platform.config, silentLog).catch((error: Error) => error),
      await runCommandProcess('rotate-secret-key', database),
    ] as const;
  });
  const opened = await rotation.openAll(NEW);
  await rotation.close();

  const isRefused = expect.stringContaining('is not the one that this database was set up with');
  expect(killed.code).toBe(-1);
  expect(killed.output).not.toContain('can be removed');
  expect(start).toMatchObject({ name: 'ConfigError', message: isRefused });
  expect([ended.code, ended.output]).toEqual([0, expect.stringMatching(/\(mail\): 3001 sealed/)]);
  expect(ended.output).toMatch(/backends \(backend\): 1 sealed, 0 of them anew/);
  expect(opened).toEqual(SecretRotation.opened);
});
