/** A child that tries what its task says, and answers what came of it. */
import { spawn as start, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { orNotStarted } from '../../../../src/platform/extraction/child/not-started.js';
import { serve } from '../../../../src/platform/extraction/child/serve.js';

const TRIALS: Readonly<Record<string, (argument: string) => unknown>> = {
  environment: () => Object.keys(process.env),
  pid: () => process.pid,
  read: (path) => readFileSync(path, 'utf8').length,
  write: (path) => writeFileSync(path, 'x'),
  spawn: () => spawnSync('/bin/true').status,
  connect: (port) => connect(Number(port), '127.0.0.1') && 'connecting',
  evaluate: () => new Function('return 1')() as number,
  fillHeap: () => {
    const texts: string[] = [];
    for (let index = 0; ; index += 1) texts.push(`text ${index} `.repeat(1_000));
  },
  fillBuffers: () => {
    const buffers: Buffer[] = [];
    for (;;) buffers.push(Buffer.alloc(16 * 1024 * 1024, 1));
  },
};

await serve(async (task, input, emit) => {
  const { trial, argument } = task as { trial: string; argument: string };
  if (trial === 'count') {
    for (let index = 0; index < Number(argument); index += 1) await emit({ index, text: 'x'.repeat(10_000) });
    return;
  }
  if (trial === 'spin') {
    await emit({ begun: true });
    for (;;);
  }
  if (trial === 'missingProgram') return void (await orNotStarted(once(start('/no/such/program'), 'close')));
  if (trial === 'echo') {
    for await (const chunk of input) await emit({ bytes: chunk.length });
    return;
  }
  try {
    await emit({ answer: TRIALS[trial]?.(argument) ?? null });
  } catch (error) {
    await emit({ error: (error as { code?: string }).code ?? (error as Error).message });
  }
});
