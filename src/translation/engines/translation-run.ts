import type { CallOwner } from '../../access/caller.js';
import { PlatformError } from '../../errors.js';
import type { CallContext, Models, TranslationModel } from '../../inference/domain.js';
import { isSameLanguage, readLanguageTag } from '../languages/language-tag.js';
import type { LanguageTag } from '../languages/language-tag.js';
import { MarkerCount } from '../protection/marker-count.js';
import type { GlossaryTerm, ProtectedUnit } from '../protection/protected-unit.js';
import type { InlineText } from '../units/inline-text.js';
import { contextOf } from '../units/unit-context.js';
import { ChatEngine } from './chat-engine.js';
import type { SchemaRefusals } from './chat-engine.js';
import { CallOrder } from './call-order.js';
import { chooseModel, tagsOf } from './choose-model.js';
import { detectSources, plainText } from './detect-sources.js';
import type { DetectedSource } from './detect-sources.js';
import type { Engine } from './engine.js';
import { keyOf } from './piece-key.js';
import { PieceTranslation } from './piece-translation.js';
import type { Piece, PieceResult } from './piece-translation.js';
import { RepairCount } from './repair-count.js';
import { ServerEngine } from './server-engine.js';
import type { TranslatedUnit, Translation, TranslationOptions, UnitListener } from './translator.js';
import { UnitPlan } from './unit-plan.js';
import { UnitTexts } from './unit-texts.js';

/** What one translation is made with. */
export interface TranslationRunParts {
  readonly models: Pick<Models, 'check' | 'complete' | 'transformOf' | 'translate' | 'translationModels'>;
  readonly refusals: SchemaRefusals;
  readonly caller: CallOwner;
  readonly options: TranslationOptions;
  readonly context: CallContext;
  readonly onUnit: UnitListener | undefined;
}

/** A unit on its way. */
interface OpenUnit {
  readonly index: number;
  /** As the engine may read it. */
  readonly source: InlineText;
  readonly plan: UnitPlan;
  /** Its characters, which its neighbours are asked with. */
  readonly characters: string;
  /** What is said about it, as the engine may read it. */
  readonly context: string | undefined;
  /** Pieces that are not decided yet. */
  open: number;
}

/** One translation: detects, chooses the engine, cuts, asks, checks, and puts together. Made for one call. */
export class TranslationRun {
  private readonly target: LanguageTag;
  private readonly given: LanguageTag | undefined;
  private readonly translated: TranslatedUnit[] = [];
  private readonly results = new Map<string, PieceResult>();
  private readonly keys = new Map<ProtectedUnit, string>();
  private readonly texts: UnitTexts;
  private readonly order: CallOrder;
  /** What stands for others in targets of terms, which the engine may not read. */
  private targets: ReadonlySet<string> = new Set();

  /** @throws BadRequest where a language tag is malformed */
  constructor(private readonly parts: TranslationRunParts) {
    const { source, target } = tagsOf(parts.options);
    this.given = source;
    this.target = target;
    this.texts = new UnitTexts(undefined, parts.context.signal);
    this.order = new CallOrder(parts.context);
  }

  /** @throws as `Translator.translateUnits` does */
  async translate(units: readonly InlineText[]): Promise<Translation> {
    const sources = await detectSources(units, this.given, this.texts);
    const asked: number[] = [];
    for (const [index, unit] of units.entries()) {
      const { source, isTranslatable } = sources[index] as DetectedSource;
      if (isTranslatable && !(source && isSameLanguage(source, this.target))) asked.push(index);
      else
        this.finish(index, {
          inline: unit,
          detectedLanguage: this.detectedOf(sources[index]),
          warnings: [],
          engine: null,
        });
    }
    const engine = asked.length === 0 ? undefined : await this.ask(units, sources, asked);
    return {
      units: this.translated,
      model: engine?.model.id ?? null,
      source: this.given?.tag ?? commonSource(sources),
      usage: engine?.usage ?? { promptTokens: 0, completionTokens: 0 },
    };
  }

  /** Has an engine translate some of the units. */
  private async ask(
    units: readonly InlineText[],
    sources: readonly DetectedSource[],
    asked: readonly number[],
  ): Promise<Engine> {
    const { models, caller, options, context } = this.parts;
    const languages = new Map(asked.map((index) => [sources[index]?.source?.tag, sources[index]?.source]));
    const need = { ...options, sources: [...languages.values()], target: this.target };
    const model = await chooseModel(models, caller, need, context);
    const { texts, guidance, hidden, readable, contexts } = await this.readable(units, asked, model);
    const engine = this.createEngine(model, guidance);
    const told = engine.keepsGlossary ? new Set(guidance.glossary) : undefined;
    const glossary = told && hidden.length === 0 ? [] : [...guidance.glossary, ...hidden];
    const { markers = new MarkerCount() } = options;
    const protection = { notation: engine.notation, glossary, told, markers };
    this.targets = new Set(hidden.flatMap(({ target }) => texts.placeholdersIn(target)));
    const open: OpenUnit[] = [];
    for (const [at, index] of asked.entries()) {
      await texts.breathe();
      const unit = readable[at] as InlineText;
      const plan = await texts.finish(UnitPlan.make(unit, sources[index]?.source, protection, engine.maxCharacters));
      const context = contexts[at];
      open.push({ index, source: unit, plan, characters: plainText(unit), context, open: 0 });
    }
    try {
      await this.translatePlans(open, engine, texts, guidance.glossary, sources);
    } catch (error) {
      throw withoutQuote(error);
    }
    return engine;
  }

  /** What the engine may read of the units and the options. */
  private async readable(units: readonly InlineText[], asked: readonly number[], model: TranslationModel) {
    const { models, caller, options, context } = this.parts;
    const { glossary: terms = [], context: general } = options;
    const told = asked.map((index) => contextOf(units[index] as InlineText));
    const request = {
      model: model.id,
      texts: [
        ...asked.map((index) => plainText(units[index] as InlineText)),
        ...told.filter((about) => about !== undefined),
      ],
      ...(general !== undefined && { context: general }),
      glossary: terms.map(({ source, target }) => ({ source, target })),
    };
    const transform = models.transformOf(caller, { area: 'translate', request, context });
    const texts = new UnitTexts(transform, context.signal);
    const readable: InlineText[] = [];
    for (const index of asked) readable.push(await texts.toReadableUnit(units[index] as InlineText));
    const glossary: GlossaryTerm[] = [];
    // No engine may read their targets, so that none could write them.
    const hidden: GlossaryTerm[] = [];
    for (const { source, target } of terms) {
      await texts.breathe();
      const term = { source: await texts.toReadable(source), target: await texts.toReadable(target) };
      (term.target === target ? glossary : hidden).push(term);
    }
    const contexts: (string | undefined)[] = [];
    for (const about of told) contexts.push(about && (await texts.toReadable(about)));
    const readableContext = general === undefined || general === '' ? undefined : await texts.toReadable(general);
    transform?.endPrompt?.();
    const { formality = 'default' } = options;
    return {
      texts,
      readable,
      contexts,
      hidden,
      guidance: { target: this.target, formality, glossary, context: readableContext },
    };
  }

  private createEngine(
    model: TranslationModel,
    guidance: ConstructorParameters<typeof ChatEngine>[1]['guidance'],
  ): Engine {
    const { models, caller, refusals } = this.parts;
    const common = { models, caller, order: this.order };
    const { traits } = model;
    if (traits) return new ServerEngine({ ...model, traits }, { ...common, target: this.target });
    return new ChatEngine(model, { ...common, refusals, guidance });
  }

  private async translatePlans(
    open: readonly OpenUnit[],
    engine: Engine,
    texts: UnitTexts,
    glossary: readonly GlossaryTerm[],
    sources: readonly DetectedSource[],
  ): Promise<void> {
    const { signal } = this.parts.context;
    const { repairs = new RepairCount() } = this.parts.options;
    // Equal pieces are asked for once, whoever waits for them.
    const waiting = new Map<string, OpenUnit[]>();
    const groups = new Map<string, Map<string, Piece>>();
    for (const [at, unit] of open.entries()) {
      await texts.breathe();
      const { plan } = unit;
      const [before, after] = [open[at - 1]?.characters, open[at + 1]?.characters];
      const group = groups.get(plan.source?.tag ?? '') ?? new Map<string, Piece>();
      groups.set(plan.source?.tag ?? '', group);
      const keys = new Set<string>();
      for (const piece of plan.pieces) {
        const key = keyOf(plan.source, piece, unit.context);
        this.keys.set(piece, key);
        keys.add(key);
        if (!group.has(key)) group.set(key, { unit: piece, source: plan.source, before, after, context: unit.context });
      }
      unit.open = keys.size;
      for (const key of keys) {
        const others = waiting.get(key);
        if (others) others.push(unit);
        else waiting.set(key, [unit]);
      }
    }
    // One after the other: thousands that wait for one piece would all wait for their turn at once.
    let finishing = Promise.resolve();
    const finish = (unit: OpenUnit): void => {
      finishing = finishing.then(() => this.finishUnit(unit, engine, texts, sources));
      // Told when all are waited for.
      finishing.catch(() => undefined);
    };
    for (const unit of open) if (unit.open === 0) finish(unit);
    const parts = { engine, target: this.target, glossary, signal, repairs, pace: texts };
    const translation = new PieceTranslation(parts);
    const run = async (group: ReadonlyMap<string, Piece>): Promise<void> => {
      const keys = [...group.keys()];
      await translation.translate([...group.values()], (index, result) => {
        const key = keys[index] as string;
        this.results.set(key, result);
        for (const unit of waiting.get(key) ?? []) {
          unit.open -= 1;
          if (unit.open === 0) finish(unit);
        }
        waiting.delete(key);
      });
    };
    // One language after the other: the bound of calls at once is that of all.
    for (const group of groups.values()) await run(group);
    await finishing;
  }

  private async finishUnit(
    { index, source, plan }: OpenUnit,
    engine: Engine,
    texts: UnitTexts,
    sources: readonly DetectedSource[],
  ): Promise<void> {
    const resultOf = (piece: ProtectedUnit): PieceResult | undefined => this.results.get(this.keys.get(piece) ?? '');
    this.parts.context.signal.throwIfAborted();
    const inline = await texts.toAnswer(await texts.finish(plan.build(resultOf)), source, this.targets);
    const told = plan.pieces
      .map(resultOf)
      .find((result) => result && result.kind !== 'source' && result.detectedLanguage);
    // It is whatever the engine has written there.
    const byEngine = told && told.kind !== 'source' ? readLanguageTag(told.detectedLanguage ?? '')?.tag : undefined;
    this.finish(index, {
      inline,
      detectedLanguage: this.detectedOf(sources[index]) ?? (plan.source ? null : (byEngine ?? null)),
      warnings: plan.warnings(resultOf),
      engine: plan.pieces.length === 0 ? null : engine.model.engine,
    });
  }

  private finish(index: number, unit: TranslatedUnit): void {
    this.translated[index] = unit;
    this.parts.onUnit?.(index, unit);
  }

  private detectedOf(source: DetectedSource | undefined): string | null {
    return this.given ? null : (source?.detected ?? null);
  }
}

/** What a server says may repeat what it was asked: texts as it alone may read them, and our own words around them. */
function withoutQuote(error: unknown): unknown {
  if (!(error instanceof PlatformError) || error.details.isQuoted !== true) return error;
  const { status, type, code, headers, details } = error;
  const isTooLong = status === 413 || details.reason === 'context_length_exceeded';
  const what = isTooLong ? 'takes no text of this length' : status < 500 ? 'refused to translate' : 'failed';
  return new PlatformError(status, type, code, `The model server ${what} (${code}).`, {
    headers,
    ...(details.reason !== undefined && { reason: details.reason }),
  });
}

/** The one language of all texts that have letters; null where they differ or one is not known. */
function commonSource(sources: readonly DetectedSource[]): string | null {
  const tags = new Set(sources.filter(({ isTranslatable }) => isTranslatable).map(({ source }) => source?.tag));
  const [tag] = tags;
  return tags.size === 1 ? (tag ?? null) : null;
}
