import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { orNotStarted } from '../../extraction/child/not-started.js';
import { DECODED_RATE } from '../audio.types.js';
import type { DecodeTask } from './decode-task.types.js';

/** What ffmpeg may keep of a file at once, in bytes. */
const MOST_ALLOCATED = 64 * 1024 * 1024;

/**
 * Has ffmpeg decode the first audio track of a file: 16 kHz, mono, PCM of 16 bits. It opens nothing but the file, with the
 * readers that are named, and ends with this process. A file that is damaged gives what can be decoded of it.
 * @param seconds the most that is decoded
 */
export async function* ffmpegSamples(
  { program, path, demuxers }: NonNullable<DecodeTask['ffmpeg']>,
  seconds: number,
): AsyncGenerator<Buffer> {
  const child = spawn(program, decodeArguments(path, demuxers, seconds), {
    env: {},
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = orNotStarted(once(child, 'close'));
  // Awaited below, or not at all.
  ended.catch(() => undefined);
  try {
    yield* child.stdout as AsyncIterable<Buffer>;
    await ended;
  } finally {
    child.kill('SIGKILL');
  }
}

function decodeArguments(path: string, demuxers: string, seconds: number): string[] {
  const input = ['-protocol_whitelist', 'file,pipe', '-format_whitelist', demuxers, '-i', `file:${path}`];
  const track = ['-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1'];
  const output = ['-t', String(seconds), '-ac', '1', '-ar', String(DECODED_RATE), '-f', 's16le', 'pipe:1'];
  const calm = ['-nostdin', '-hide_banner', '-loglevel', 'quiet', '-threads', '1'];
  return [...calm, '-max_alloc', String(MOST_ALLOCATED), ...input, ...track, ...output];
}
