import { BadUpstream } from '../../errors.js';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { isJsonObject, setMember } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { formatOf, isEncodedMedium, isKept, isLogProbabilities } from './answer-texts.js';
import { headOfDataUrl, isLongBase64, readablePart } from './encoded-texts.js';
import { transformNumber } from './known-names.js';
import { MemberNames } from './member-names.js';
import { writeWhole } from './text-transform.js';
import type { TextFormat, TextTransform } from './text-transform.js';

/** Of one answer, or one event: more than any answer has, and each costs as much as thousands of bytes of text. */
const MAX_TEXTS = 20_000;

/** Where a value stands: the names of members, and the indexes of entries of lists, from the outermost on. */
export type JsonPath = readonly (string | number)[];

/** Changes the texts of a whole answer, or of one event: every string, number and name that is not known to be none. */
export class WholeAnswerTexts {
  private texts = 0;

  /**
   * @param cooperation of the whole stream, which lets other requests go first between two values
   * @param isRepeat whether it tells texts again which other events have told
   */
  constructor(
    private readonly transform: TextTransform,
    readonly cooperation = new CooperativeYield(),
    private readonly isRepeat = false,
  ) {}

  /**
   * Changes an object in place.
   * @throws BadUpstream where it has more than 20,000 texts; PlatformError of the transform; the reason of the signal
   */
  async transformObject(holder: JsonObject, path: JsonPath = []): Promise<void> {
    const names = new MemberNames(holder, this);
    for (const [name, value] of Object.entries(holder)) {
      // Nothing is waited for where nothing changes: most members of most events stay as they are.
      const member = isLogProbabilities(name) ? noneOf(value) : this.transformMember(holder, name, value, path);
      const changed = member instanceof Promise ? await member : member;
      const named = names.transform(name);
      const changedName = typeof named === 'string' ? named : await named;
      if (changedName !== name) delete holder[name];
      setMember(holder, changedName, changed);
    }
  }

  /**
   * What a member becomes, or a promise of it.
   * @param path of the holder
   * @throws as `transformObject` does
   */
  transformMember(holder: JsonObject, name: string, value: unknown, path: JsonPath = []): unknown {
    return isKept(name, value, path) ? value : this.transformWritten(holder, name, value, path);
  }

  /** What a member becomes that a model may have written. */
  private async transformWritten(holder: JsonObject, name: string, value: unknown, path: JsonPath): Promise<unknown> {
    if (this.cooperation.isDue) await this.cooperation.yield();
    if (typeof value === 'number') return transformNumber(value, this);
    if (typeof value === 'string') {
      return this.transformUnreadable(holder, name, value, path) ?? this.transformText(value, formatOf(name));
    }
    if (Array.isArray(value)) {
      const changed: unknown[] = [];
      for (const entry of value) changed.push(await this.transformMember(holder, name, entry, path));
      return changed;
    }
    if (isJsonObject(value)) await this.transformObject(value, [...path, name]);
    return value;
  }

  /**
   * What a text becomes that is a sound or the like: its base64 is left as it is. The transform is told of it, and of other
   * base64.
   * @returns undefined where it is to be read as a text
   * @throws PlatformError where the call must not have it; as `transformObject` does
   */
  private transformUnreadable(
    holder: JsonObject,
    name: string,
    value: string,
    path: JsonPath,
  ): Promise<string> | undefined {
    const isLeft = headOfDataUrl(value) !== undefined || isEncodedMedium(holder, name, value, path);
    if (isLeft) return this.transformEncoded(value);
    // What may be a text all the same is read as one where it passes.
    if (isLongBase64(value)) this.transform.checkUnreadable?.('output');
    return undefined;
  }

  /**
   * What base64 becomes that is a sound or the like, or a data URL: what is before it is a text, and so is base64 of at
   * most 256 characters. The transform is told of it.
   * @throws PlatformError where the call must not have it; as `transformObject` does
   */
  async transformEncoded(encoded: string): Promise<string> {
    this.transform.checkUnreadable?.('output');
    const read = readablePart(encoded);
    return (await this.transformText(read, 'text')) + encoded.slice(read.length);
  }

  /** What a text becomes. @throws as `transformObject` does */
  async transformText(text: string, format: TextFormat): Promise<string> {
    if (text === '') return text;
    this.texts += 1;
    if (this.texts > MAX_TEXTS) throw new BadUpstream('The answer of the model server has too many texts.');
    return writeWhole(this.transform.beginAnswer(format, this.isRepeat), text, this.cooperation);
  }
}

/** What takes the place of a value that is left out. */
function noneOf(value: unknown): [] | null {
  return Array.isArray(value) ? [] : null;
}

/** Changes in place what a model wrote in a whole answer. @throws as `WholeAnswerTexts.transformObject` does */
export async function transformAnswer(answer: JsonObject, transform: TextTransform): Promise<void> {
  await new WholeAnswerTexts(transform).transformObject(answer);
}
