/**
 * Decodes a file of audio and finds speech in it, through a child process, or has the detection alone look at the samples of a
 * WAV file; prints how long it took. The built server's child is used. `node --import tsx bench/echo/time-decoding.ts
 * child|alone FILE`
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { scratchFolderAt } from '../../test/support/builders/scratch-folder.js';
import { builtModule } from '../built.js';
import { residentKib } from '../processes.js';
import type { TimedDecoding } from './decoding.js';

type DetectorModule = typeof import('../../src/platform/audio/decoding/speech-detector.js');
type SampleModule = typeof import('../../src/platform/audio/decoding/pcm16.js');
type ProcessorModule = typeof import('../../src/platform/audio/audio-processor.js');

const SAMPLE_MS = 20;
const HEAD_BYTES = 44;
const AT_ONCE = 65_536;

const [how = 'child', file = ''] = process.argv.slice(2);
console.log(JSON.stringify(how === 'alone' ? await detect() : await decode()));

async function detect(): Promise<TimedDecoding> {
  const { SpeechDetector } = await builtModule<DetectorModule>('platform/audio/decoding/speech-detector.js');
  const { fromPcm16 } = await builtModule<SampleModule>('platform/audio/decoding/pcm16.js');
  const samples = fromPcm16(readFileSync(file).subarray(HEAD_BYTES));
  const detector = new SpeechDetector();
  const startedAt = performance.now();
  let spans = 0;
  for (let at = 0; at < samples.length; at += AT_ONCE)
    spans += detector.accept(samples.subarray(at, at + AT_ONCE)).length;
  spans += detector.finish().length;
  return { seconds: (performance.now() - startedAt) / 1_000, mebibytes: 0, spans };
}

async function decode(): Promise<TimedDecoding> {
  const { AudioProcessor } = await builtModule<ProcessorModule>('platform/audio/audio-processor.js');
  const folder = mkdtempSync(join(tmpdir(), 'decoding-'));
  const config = { audioProcesses: 1, audioSeconds: 1_800, audioMemoryMib: 384, audioMaxHours: 24, audioEncoders: 1 };
  const log = pino({ level: 'silent' });
  const audio = await AudioProcessor.open({ config, scratch: { root: folder }, log });
  let most = 0;
  const timer = setInterval(() => {
    for (const pid of audio.children.busyPids) most = Math.max(most, memoryOf(pid));
  }, SAMPLE_MS);
  try {
    const startedAt = performance.now();
    const { spans } = await audio.decode(file, {
      folder: scratchFolderAt(folder),
      signal: new AbortController().signal,
    });
    const seconds = (performance.now() - startedAt) / 1_000;
    return { seconds, mebibytes: most / 1_024, spans: spans.length };
  } finally {
    clearInterval(timer);
    audio.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of a process, with those that it has started, in KiB; one that has just ended has none. */
function memoryOf(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return children.reduce((sum, child) => sum + memoryOf(Number(child)), residentKib(pid) || 0);
  } catch {
    return 0;
  }
}
