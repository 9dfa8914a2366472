/**
 * Uploads 512 MiB of audio to a built server on the embedded database, as one body and in pieces of 8 MiB: how long it takes,
 * and what it adds to the memory of the process. `npm run build && node --import tsx bench/echo/time-uploads.ts [mebibytes]`
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { login } from '../../test/crash/client.js';
import { Replica } from '../../test/crash/replica.js';
import { wavHead } from '../../test/support/speech-server.js';

const MEBIBYTE = 1024 * 1024;
const PIECE = 8 * MEBIBYTE;
const SAMPLE_MS = 20;
const total = Number(process.argv[2] ?? 512) * MEBIBYTE;
const folder = mkdtempSync(join(tmpdir(), 'uploads-'));
const server = new Replica('server', folder, {
  DATA_DIR: join(folder, 'data'),
  ECHO_MAX_RECORDING_BYTES: String(2 * total),
});
const noise = randomBytes(PIECE);

try {
  const { origin, child } = await server.start();
  const token = await login(server);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'audio/wav' };
  const open = async (): Promise<string> => {
    const body = JSON.stringify({ title: 'Long' });
    const json = { ...headers, 'content-type': 'application/json' };
    const answer = await fetch(`${origin}/v1/echo/recordings`, { method: 'POST', headers: json, body });
    return `${origin}/v1/echo/recordings/${((await answer.json()) as { id: string }).id}`;
  };
  const send = async (url: string, body: ReadableStream | Uint8Array, range?: string): Promise<void> => {
    const all = { ...headers, ...(range !== undefined && { 'content-range': range }) };
    const answer = await fetch(`${url}/audio`, { method: 'PUT', headers: all, body, duplex: 'half' } as RequestInit);
    if (answer.status !== 202) throw new Error(`It was not taken: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  const whole = async (size: number): Promise<void> => send(await open(), ReadableStream.from(audio(size)));
  const pieces = async (size: number): Promise<void> => {
    const url = await open();
    let start = 0;
    for (const bytes of audio(size)) {
      await send(url, bytes, `bytes ${start}-${start + bytes.length - 1}/*`);
      start += bytes.length;
    }
  };
  await whole(32 * MEBIBYTE);
  await pieces(32 * MEBIBYTE);
  for (const [name, upload] of Object.entries({ 'one body': whole, 'pieces of 8 MiB': pieces })) {
    await sleep(3_000);
    await measure(name, child.pid ?? 0, () => upload(total));
  }
} finally {
  await server.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** A WAV file, in pieces of 8 MiB. */
function* audio(size: number): Generator<Buffer> {
  const head = wavHead(size - 44);
  yield Buffer.concat([head, noise.subarray(head.length)]);
  for (let sent = PIECE; sent < size; sent += PIECE) yield noise;
}

async function measure(name: string, pid: number, upload: () => Promise<void>): Promise<void> {
  const before = memoryOf(pid);
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, memoryOf(pid))), SAMPLE_MS);
  const startedAt = performance.now();
  await upload();
  const seconds = (performance.now() - startedAt) / 1_000;
  clearInterval(timer);
  const [size, added] = [total / MEBIBYTE, (most - before) / MEBIBYTE];
  const rate = Math.round(size / seconds);
  console.log(`${size} MiB as ${name}: ${seconds.toFixed(1)} s (${rate} MiB/s), ${added.toFixed(1)} MiB more memory`);
}

/** Of a process, in bytes. */
function memoryOf(pid: number): number {
  const [, kibibytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}
