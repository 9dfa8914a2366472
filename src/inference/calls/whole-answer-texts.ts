import { BadUpstream } from '../../errors.js';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { formatOf, isEncoded, isKept, withoutLogProbabilities } from './answer-texts.js';
import { isLongBase64 } from './encoded-texts.js';
import { isKnownName, isTextNumber } from './known-names.js';
import { writeWhole } from './text-transform.js';
import type { TextFormat, TextTransform } from './text-transform.js';

/** Of one answer, or one event: more than any answer has, and each costs as much as thousands of bytes of text. */
const MAX_TEXTS = 20_000;

/** Changes the texts of a whole answer, or of one event: every string, number and name that is not known to be none. */
export class WholeAnswerTexts {
  /** Lets other requests go first between two values. */
  readonly cooperation: CooperativeYield;
  private texts = 0;

  /** @param signal ends the work on an answer that nobody waits for any more */
  constructor(
    private readonly transform: TextTransform,
    signal?: AbortSignal,
  ) {
    this.cooperation = new CooperativeYield(signal);
  }

  /**
   * Changes an object in place.
   * @throws BadUpstream where it has more than 20,000 texts; PlatformError of the transform; the reason of the signal
   */
  async transformObject(holder: JsonObject, way: readonly string[] = []): Promise<void> {
    for (const [name, value] of Object.entries(holder)) {
      const emptied = withoutLogProbabilities(name, value);
      const changed = emptied ? emptied.value : await this.transformMember(holder, name, value, way);
      const changedName = await this.transformName(name);
      if (changedName !== name) delete holder[name];
      holder[changedName] = changed;
    }
  }

  /** What the name of a member becomes. @throws as `transformObject` does */
  transformName(name: string): string | Promise<string> {
    return isKnownName(name) ? name : this.transformText(name, 'text');
  }

  /**
   * What a member becomes.
   * @param way the names of what the holder is in, from the outermost on
   * @throws as `transformObject` does
   */
  async transformMember(
    holder: JsonObject,
    name: string,
    value: unknown,
    way: readonly string[] = [],
  ): Promise<unknown> {
    if (this.cooperation.isDue) await this.cooperation.yield();
    if (isKept(name, value)) return value;
    if (typeof value === 'number') return this.transformNumber(value);
    if (typeof value === 'string') {
      if (!this.isUnreadable(holder, name, value, way)) return this.transformText(value, formatOf(name));
      return value;
    }
    if (Array.isArray(value)) {
      const changed: unknown[] = [];
      for (const entry of value) changed.push(await this.transformMember(holder, name, entry, way));
      return changed;
    }
    if (isJsonObject(value)) await this.transformObject(value, [...way, name]);
    return value;
  }

  /**
   * Whether a text is a sound or the like and is left as it is; the transform is told of it, and of other base64.
   * @throws PlatformError where the call must not have it
   */
  isUnreadable(holder: JsonObject, name: string, value: string, way: readonly (string | number)[]): boolean {
    const isSound = name === 'data' && way.at(-1) === 'audio' && value !== '';
    const isLeft = isSound || isEncoded(holder, name, value);
    // What may be a text all the same is read as one where it passes.
    if (isLeft || isLongBase64(value)) this.transform.checkUnreadable?.('output');
    return isLeft;
  }

  private async transformNumber(value: number): Promise<number | string> {
    if (!isTextNumber(value)) return value;
    const text = String(value);
    const changed = await this.transformText(text, 'text');
    return changed === text ? value : changed;
  }

  private async transformText(text: string, format: TextFormat): Promise<string> {
    if (text === '') return text;
    this.texts += 1;
    if (this.texts > MAX_TEXTS) throw new BadUpstream('The answer of the model server has too many texts.');
    return writeWhole(this.transform.beginAnswer(format), text, this.cooperation);
  }
}

/** Changes in place what a model wrote in a whole answer. @throws as `WholeAnswerTexts.transformObject` does */
export async function transformAnswer(answer: JsonObject, transform: TextTransform): Promise<void> {
  await new WholeAnswerTexts(transform).transformObject(answer);
}
