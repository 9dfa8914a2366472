import { constants } from 'node:fs';
import { access, open, readFile, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Conflict } from '../../../errors.js';
import type { JsonObject } from '../../../platform/json/json-object.js';
import type { Scratch } from '../../../platform/scratch/scratch.js';
import { findProgram } from '../../../platform/programs/find-program.js';
import { ConcurrencyGate } from '../../backends/openai/concurrency-gate.js';
import type { AudioTraits, TranscriptionRequest } from '../engine.types.js';
import type { AudioSpan } from '../audio.types.js';
import { parseSegmentations } from './pocketsphinx-output.js';
import type { SpanHypothesis } from './pocketsphinx-output.js';
import { ProgramRunner } from './program-runner.js';
import type { SpeechEngine } from './speech-engine.js';

const PROGRAM = 'pocketsphinx_batch';
const FRAMES_PER_SECOND = 100;
const RATE = 16_000;
const BYTES_PER_SECOND = RATE * 2;
const MAX_SECONDS = 1_800;
/** In which the beginning of the samples must be found. */
const HEAD_BYTES = 4_096;
/** What its files have at most: a line for each span, and for each word that it hears. */
const FILES_BYTES = 1_024 * 1_024;
/** It takes 0.2–0.5 s for a second of sound, and a second to load its model; on a busy machine several times as much. */
const SECONDS_PER_SECOND = 5;
const START_SECONDS = 60;

const AUDIO: AudioTraits = {
  maxSeconds: MAX_SECONDS,
  maxBytes: MAX_SECONDS * BYTES_PER_SECOND + HEAD_BYTES,
  mediaTypes: ['audio/wav'],
  givesWords: true,
  givesSegments: true,
  givesSpeakers: false,
  translates: false,
  languages: ['en'],
  voices: [],
};

/** CMU's recogniser of English, where the operator has installed `pocketsphinx` and its model: one process a call. */
export class PocketsphinxEngine implements SpeechEngine {
  readonly id = 'builtin-pocketsphinx';
  readonly created = 1_763_856_000;
  readonly capabilities = ['transcribe'] as const;
  readonly audio = AUDIO;
  private readonly gate = new ConcurrencyGate({
    max: Math.max(1, availableParallelism() - 1),
    queue: { max: 100, seconds: 300 },
  });

  /** @param model the arguments that name its model */
  private constructor(
    private readonly programs: ProgramRunner,
    private readonly model: readonly string[],
    private readonly scratch: Pick<Scratch, 'folderFor'>,
  ) {}

  /** The engine where its program and its model are installed; undefined elsewhere. */
  static async find(scratch: Scratch): Promise<PocketsphinxEngine | undefined> {
    const program = await findProgram(PROGRAM);
    if (program === undefined) return undefined;
    const folder = join(dirname(dirname(program)), 'share/pocketsphinx/model/en-us');
    const files = {
      hmm: join(folder, 'en-us'),
      lm: join(folder, 'en-us.lm.bin'),
      dict: join(folder, 'cmudict-en-us.dict'),
    };
    try {
      await Promise.all([join(files.hmm, 'mdef'), files.lm, files.dict].map((path) => access(path, constants.R_OK)));
    } catch {
      return undefined;
    }
    const model = Object.entries(files).flatMap(([name, path]) => [`-${name}`, path]);
    return new PocketsphinxEngine(new ProgramRunner(program), model, scratch);
  }

  async transcribe(request: TranscriptionRequest, signal: AbortSignal, callerId: string): Promise<JsonObject> {
    await this.gate.enter(callerId, signal);
    try {
      // As many as run at once, which the gate shares out.
      await using folder = await this.scratch.folderFor(undefined);
      await folder.reserve(FILES_BYTES);
      return await this.recognize(request, folder.path, signal);
    } finally {
      this.gate.leave();
    }
  }

  close(): Promise<void> {
    return this.programs.close();
  }

  private async recognize(
    { audio, spans }: TranscriptionRequest,
    folder: string,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const { dataStart, seconds } = await readWavHead(audio.path);
    const asked = spans ?? [{ start: 0, end: seconds }];
    if (asked.length === 0) return toAnswer([], seconds);
    // The control file has names without blanks.
    await symlink(resolve(audio.path), join(folder, 'audio.raw'));
    await writeFile(join(folder, 'spans'), asked.map((span, index) => controlLine(span, index, seconds)).join(''));
    const args = ['-adcin', 'yes', '-adchdr', String(dataStart), '-cepdir', '.', '-cepext', '.raw', '-ctl', 'spans'];
    const results = ['-cmn', 'batch', '-hypseg', 'words', '-logfn', '/dev/null'];
    const limit = START_SECONDS + SECONDS_PER_SECOND * seconds;
    const all = [...this.model, ...args, ...results];
    const program = this.programs.start({ args: all, folder, seconds: limit, signal });
    // What it says beside its files is for nobody, and would keep the socket open.
    void program.output.then((output) => output?.resume());
    await program.ended;
    return toAnswer(parseSegmentations(await readFile(join(folder, 'words'), 'utf8'), asked), seconds);
  }
}

/** A span as the control file has it: in frames, which are whole. */
function controlLine({ start, end }: AudioSpan, index: number, seconds: number): string {
  const first = Math.max(0, Math.floor(start * FRAMES_PER_SECOND));
  const last = Math.ceil(Math.min(end, seconds) * FRAMES_PER_SECOND);
  return `audio ${first} ${Math.max(first + 1, last)} span-${index}\n`;
}

function toAnswer(spans: readonly SpanHypothesis[], seconds: number): JsonObject {
  const said = spans.filter(({ words }) => words.length > 0);
  const segments = said.map(({ words }, id) => ({
    id,
    start: words[0]?.start,
    end: words.at(-1)?.end,
    text: words.map(({ word }) => word).join(' '),
  }));
  return {
    task: 'transcribe',
    language: 'en',
    duration: seconds,
    text: segments.map(({ text }) => text).join(' '),
    words: said.flatMap(({ words }) => words),
    segments,
  };
}

/**
 * Where the samples of a WAV file begin, and how long they are.
 * @throws Conflict `capability_not_supported` for any but 16 kHz, one channel, 16 bits
 */
async function readWavHead(path: string): Promise<{ dataStart: number; seconds: number }> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const { size } = await file.stat();
    const head = buffer.subarray(0, bytesRead);
    let isRead = false;
    for (let at = 12; at + 8 <= head.length;) {
      const length = head.readUInt32LE(at + 4);
      const id = head.toString('latin1', at, at + 4);
      if (id === 'fmt ' && at + 24 <= head.length) isRead = isReadable(head.subarray(at + 8, at + 24));
      const bytes = Math.min(length, size - at - 8);
      if (id === 'data' && isRead) return { dataStart: at + 8, seconds: bytes / BYTES_PER_SECOND };
      at += 8 + length + (length % 2);
    }
    throw new Conflict('capability_not_supported', 'The model takes WAV of 16 kHz, one channel and 16 bits.', 'file');
  } finally {
    await file.close();
  }
}

function isReadable(format: Buffer): boolean {
  const [code, channels, bits] = [format.readUInt16LE(0), format.readUInt16LE(2), format.readUInt16LE(14)];
  return code === 1 && channels === 1 && bits === 16 && format.readUInt32LE(4) === RATE;
}
