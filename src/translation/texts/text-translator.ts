import type { CallOwner } from '../../access/caller.js';
import type { CallContext } from '../../inference/domain.js';
import { BadRequest } from '../../errors.js';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import type { TranslatedUnit, Translator } from '../engines/translator.js';
import { countBranches } from '../protection/icu-message.js';
import { MarkerCount } from '../protection/marker-count.js';
import type { TextMemory } from './text-memory.js';
import { readTextSteps } from './text-units.js';
import type { TextUnits } from './text-units.js';
import type { TextTranslation, TranslatedText } from './text-translation.types.js';
import type { TranslateTextRequest } from './translate-text.inputs.js';

/** Of all texts of a request, with the branches of their messages and what stands between barriers. */
const MAX_UNITS = 20_000;

/** Told of a text as soon as it is final. */
export type TextListener = (index: number, text: TranslatedText) => void;

/** A text, and where its units stand among those of all texts. */
interface OpenText extends TextUnits {
  readonly index: number;
  readonly start: number;
  /** Units that are not translated yet. */
  open: number;
}

/** Translates texts. Nothing of them is stored. */
export class TextTranslator {
  constructor(
    private readonly translator: Translator,
    private readonly memory: Pick<TextMemory, 'hold'>,
  ) {}

  /**
   * Translates the texts of a request.
   * @param onText told of each text, in the order in which they are ready
   * @throws as `Translator.translateUnits` does; BadRequest where the texts have too many units; Unavailable where there is
   * no memory for them beside others
   */
  async translate(
    caller: CallOwner,
    request: TranslateTextRequest,
    context: CallContext,
    onText?: TextListener,
    cooperation = new CooperativeYield(context.signal),
  ): Promise<TextTranslation> {
    using held = this.memory.hold(caller, request);
    const markers = new MarkerCount((added) => held.add(added), request.field);
    const options = { ...request.options, markers };
    const translations: TranslatedText[] = [];
    const translated: TranslatedUnit[] = [];
    let finishing = Promise.resolve();
    const finish = (text: OpenText): void => {
      finishing = finishing.then(async () => {
        const own = translated.slice(text.start, text.start + text.units.length);
        const found = await cooperation.finish(translatedTextSteps(text, own));
        translations[text.index] = found;
        onText?.(text.index, found);
      });
      // Told when all are waited for.
      finishing.catch(() => undefined);
    };
    const opened = await openTexts(request, cooperation);
    const textOfUnit = opened.flatMap((text) => text.units.map(() => text));
    const units = opened.flatMap((text) => text.units);
    held.add({ units: units.length });
    for (const text of opened) if (text.open === 0) finish(text);
    const onUnit = (at: number, unit: TranslatedUnit): void => {
      const text = textOfUnit[at] as OpenText;
      translated[at] = unit;
      text.open -= 1;
      if (text.open === 0) finish(text);
    };
    const { model, source, usage } = await this.translator
      .translateUnits(caller, units, options, context, onUnit)
      // Whoever waits is told of no text behind the end.
      .finally(() => finishing);
    const { promptTokens, completionTokens } = usage;
    return {
      object: 'translation',
      model,
      sourceLanguage: source,
      targetLanguage: options.target,
      translations,
      usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
    };
  }
}

/** Takes the texts apart. @throws BadRequest where they have too many units */
async function openTexts(
  { texts, field, format }: TranslateTextRequest,
  cooperation: CooperativeYield,
): Promise<OpenText[]> {
  const opened: OpenText[] = [];
  let start = 0;
  let count = 0;
  const check = (): void => {
    if (count <= MAX_UNITS) return;
    const units = 'lines, blocks of HTML, tags without a partner and branches of messages';
    throw new BadRequest(
      `${field} must have ${MAX_UNITS.toLocaleString('en')} ${units} at most together: send several requests.`,
      field,
    );
  };
  for (const [index, text] of texts.entries()) {
    if (cooperation.isDue) await cooperation.yield();
    const read = await cooperation.finish(readTextSteps(text, format, MAX_UNITS - count));
    const { length } = read.units;
    count += length;
    check();
    for (const unit of read.units) {
      for (const part of unit) {
        if (part.kind !== 'text') count += part.isBarrier === true ? 1 : 0;
        else if (part.text.includes('{')) count += await cooperation.finish(countBranches(part.text));
        else continue;
        check();
      }
      if (cooperation.isDue) await cooperation.yield();
    }
    opened.push({ ...read, index, start, open: length });
    start += length;
  }
  return opened;
}

function* translatedTextSteps(text: OpenText, units: readonly TranslatedUnit[]): Generator<void, TranslatedText> {
  const languages = new Set(units.flatMap(({ detectedLanguage }) => detectedLanguage ?? []));
  const [language] = languages;
  return {
    text: yield* text.write(units.map(({ inline }) => inline)),
    detectedLanguage: languages.size === 1 ? (language ?? null) : null,
    engine: units.find(({ engine }) => engine !== null)?.engine ?? null,
    warnings: [...new Set(units.flatMap(({ warnings }) => warnings))],
  };
}
