import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { orNotStarted } from '../child/not-started.js';

/** One thread: several are slower, all in all. The locale tells how numbers are written. */
const ENVIRONMENT = { OMP_THREAD_LIMIT: '1', LC_ALL: 'C.UTF-8' };

/**
 * Has a program make something of bytes. It ends with this process, and counts to its memory.
 * @param program an absolute path
 * @param mostBytes what it may answer
 * @param timeoutMs after which it is ended; default: with this process
 * @throws NotStarted; Error where it fails or answers more
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  input: Uint8Array,
  { mostBytes, timeoutMs }: { readonly mostBytes: number; readonly timeoutMs?: number },
): Promise<Buffer> {
  const child = spawn(program, args, {
    env: ENVIRONMENT,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  const ended = orNotStarted(once(child, 'close') as Promise<[number | null]>);
  // Awaited below, or not at all.
  ended.catch(() => undefined);
  // A program that has seen enough reads no further.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= mostBytes) continue;
    child.kill('SIGKILL');
    throw new Error('a program answers too much');
  }
  const [code] = await ended;
  if (code !== 0) throw new Error('a program has failed');
  return Buffer.concat(chunks, size);
}
