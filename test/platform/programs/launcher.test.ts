import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';

it.each([false, true])('the launcher ends with a server that is killed, having begun: %s', async (hasBegun) => {
  const launcher = spawn(process.execPath, ['--no-warnings', ENTRY], {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const exited = once(launcher, 'exit');
  launcher.send({ id: 1, program: '/bin/sleep', args: ['20'] });
  if (hasBegun) await once(launcher, 'message');

  launcher.disconnect();

  expect(await exited).toEqual([0, null]);
});

const ENTRY = new URL('../../../src/platform/programs/launcher.child.ts', import.meta.url).pathname;
