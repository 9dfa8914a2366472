import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { keepWebAssemblyCode } from '../../src/platform/web-assembly-code.js';

const COLLECTION = '[wasm-gc] Starting GC';

it('is not collected by V8 any more, so that no thread can free what another one takes', async () => {
  await expect(collections('', 100_000)).resolves.toContain(COLLECTION);
  await expect(collections(`(${keepWebAssemblyCode})();`, 20)).resolves.toBe('');
});

/**
 * What V8 tells of its collections, up to the first, in a process that runs WebAssembly. To read TypeScript would run
 * some itself.
 */
async function collections(before: string, pauses: number): Promise<string> {
  const flags = ['--stress-wasm-code-gc', '--trace-wasm-code-gc', '--wasm-tiering-budget=100'];
  const program = `import { setFlagsFromString } from 'node:v8'; ${before} const pauses = ${pauses}; ${CALLS}`;
  const child = spawn(process.execPath, [...flags, '--input-type=module', '-e', program], { stdio: 'pipe' });
  let told = '';
  child.stdout.on('data', (text) => {
    told += String(text);
    if (told.includes(COLLECTION)) child.kill();
  });
  await once(child, 'close');
  return told;
}

/** Calls a module's function again and again, with pauses in which V8 may put what it has compiled in its place. */
const CALLS = `
  const section = (id, ...body) => [id, body.length, ...body];
  const bytes = new Uint8Array([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, 1, 0x60, 1, 0x7f, 0),
    ...section(2, 1, 1, 0x61, 1, 0x62, 0, 0),
    ...section(3, 1, 0),
    ...section(7, 1, 1, 0x63, 0, 1),
    ...section(10, 1, 6, 0, 0x20, 0, 0x10, 0, 0x0b),
  ]);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { a: { b: () => undefined } });
  for (let pause = 0; pause < pauses; pause++) {
    for (let calls = 0; calls < 1_000; calls++) exports.c(calls);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
`;
