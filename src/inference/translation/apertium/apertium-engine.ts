import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { BadUpstream, Conflict } from '../../../errors.js';
import { unlessAborted } from '../../../platform/async/unless-aborted.js';
import { findProgram } from '../../../platform/programs/find-program.js';
import { ConcurrencyGate } from '../../backends/openai/concurrency-gate.js';
import { LanguagePairs } from '../language-pairs.js';
import type { TranslationEngine } from '../translation-engine.js';
import type { EngineTranslation, TranslationRequest, TranslationTraits } from '../engine.types.js';
import { readApertiumModes } from './apertium-modes.js';
import type { ApertiumMode } from './apertium-modes.js';
import { ApertiumPipeline } from './apertium-pipeline.js';
import { readAnswer, toRequest } from './apertium-text.js';

const PROGRAM = 'apertium';
/** Pipelines at work at once, of all pairs together; each is a dozen programs. */
const PIPELINES = Math.max(1, Math.min(4, availableParallelism()));
/** How long a pipeline without work stays. */
const IDLE_MS = 5 * 60_000;
const LIMITS = { detects: false, maxTexts: 32, maxCharacters: 20_000 } as const;

/** The `apertium` programs, where the operator has installed them and a pair of languages. */
export class ApertiumEngine implements TranslationEngine {
  readonly id = 'apertium';
  readonly created = 1_763_856_000;
  readonly translation: TranslationTraits;
  private readonly gate = new ConcurrencyGate({ max: PIPELINES, queue: { max: 1_000, seconds: 60 } });
  /** Those that run, the idle ones with what ends them when nobody needs them for a while. */
  private readonly idle = new Map<ApertiumPipeline, { readonly mode: ApertiumMode; readonly timer: NodeJS.Timeout }>();
  private readonly all = new Set<ApertiumPipeline>();
  private isClosed = false;

  constructor(private readonly modes: readonly ApertiumMode[]) {
    const sources = Map.groupBy(modes, ({ source }) => source);
    const rows = [...sources].map(([source, own]) => [source, own.map(({ target }) => target)] as const);
    const pairs = LanguagePairs.from(rows);
    this.translation = { engine: 'apertium', pairs, ...LIMITS };
  }

  /** The engine where the programs and a pair are installed; undefined elsewhere. */
  static async find(): Promise<ApertiumEngine | undefined> {
    const program = await findProgram(PROGRAM);
    if (program === undefined) return undefined;
    const modes = await readApertiumModes(join(dirname(dirname(program)), 'share/apertium/modes'));
    return modes.length === 0 ? undefined : new ApertiumEngine(modes);
  }

  async translate(
    { texts, source, target }: TranslationRequest,
    signal: AbortSignal,
    callerId: string,
  ): Promise<readonly EngineTranslation[]> {
    const mode = this.modes.find((one) => one.source === source && one.target === target);
    if (!mode) throw new Conflict('capability_not_supported', 'The pair of languages is not installed.', 'model');
    await this.gate.enter(callerId, signal);
    const translations = this.translateTexts(mode, texts, signal).finally(() => this.gate.leave());
    // Whoever has left does not wait for the text that is being translated; its programs stay.
    return unlessAborted(translations, signal);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const running = [...this.all];
    running.forEach((pipeline) => pipeline.kill());
    await Promise.all(running.map(({ ended }) => ended));
  }

  private async translateTexts(
    mode: ApertiumMode,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly EngineTranslation[]> {
    const translations: EngineTranslation[] = [];
    for (const text of texts) {
      signal.throwIfAborted();
      translations.push({ text: await this.translateText(mode, text), detectedLanguage: null });
    }
    return translations;
  }

  private async translateText(mode: ApertiumMode, text: string): Promise<string> {
    const pipeline = this.take(mode);
    const translation = readAnswer(await pipeline.translate(toRequest(text)), text);
    if (translation === undefined) {
      pipeline.kill();
      throw new BadUpstream('The answer of the translation engine cannot be read.');
    }
    this.keep(pipeline, mode);
    return translation;
  }

  /** One that is idle, or a new one: an idle one of another pair makes room for it. */
  private take(mode: ApertiumMode): ApertiumPipeline {
    if (this.isClosed) throw new BadUpstream('The server is stopping.');
    for (const [pipeline, { mode: own, timer }] of this.idle) {
      if (own !== mode || !pipeline.isUsable) continue;
      clearTimeout(timer);
      this.idle.delete(pipeline);
      return pipeline;
    }
    const [[oldest] = []] = this.idle;
    if (oldest && this.all.size >= PIPELINES) oldest.kill();
    const pipeline = new ApertiumPipeline(mode);
    this.all.add(pipeline);
    void pipeline.ended.then(() => this.forget(pipeline));
    return pipeline;
  }

  private keep(pipeline: ApertiumPipeline, mode: ApertiumMode): void {
    if (!pipeline.isUsable) return;
    const timer = setTimeout(() => pipeline.kill(), IDLE_MS).unref();
    this.idle.set(pipeline, { mode, timer });
  }

  private forget(pipeline: ApertiumPipeline): void {
    clearTimeout(this.idle.get(pipeline)?.timer);
    this.idle.delete(pipeline);
    this.all.delete(pipeline);
  }
}
