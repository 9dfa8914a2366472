import { BadUpstream } from '../../errors.js';
import { isJsonObject, memberOf, setMember } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { formatOf, isEncodedMedium, isId, isKept, isLogProbabilities } from './answer-texts.js';
import { EncodedTextDetector } from './encoded-text-detector.js';
import { MemberNames } from './member-names.js';
import { SLICE_CHARACTERS, writeInSlices } from './text-transform.js';
import type { AnswerText, TextFormat, TextTransform } from './text-transform.js';
import type { JsonPath, WholeAnswerTexts } from './whole-answer-texts.js';

/** Texts of one stream that are open at a time: each holds what its rules need. */
const MAX_OPEN = 256;
/** Holders of one stream whose texts have ended. */
const MAX_ENDED = 10_000;

/** Where a text stands, in UTF-16 units: each of those that are open keeps it. */
const MAX_PATH = 1_024;
/** Places of lists before a text: they are filled with empty texts where what was held back of it goes out by itself. */
const MAX_PLACES = 1_000;

/** What a text of a stream is written as, until it has ended. */
class OpenText implements AnswerText {
  private hasEnded = false;
  private readonly detector = new EncodedTextDetector();
  private readonly answer: AnswerText;

  constructor(
    private readonly transform: TextTransform,
    format: TextFormat,
    /** Where its pieces stand. */
    readonly path: JsonPath,
  ) {
    this.answer = transform.beginAnswer(format);
  }

  get held(): string | undefined {
    return this.hasEnded ? undefined : this.answer.held;
  }

  write(piece: string): string {
    if (this.hasEnded) throw continuedAfterEnd();
    // One piece does not say whether the text goes on with prose: what passes is read.
    if (this.detector.write(piece)) this.transform.checkUnreadable?.('output');
    return this.answer.write(piece);
  }

  end(): string {
    this.hasEnded = true;
    return this.answer.end();
  }
}

/**
 * Changes the texts of a stream, whose pieces stand at the same path of one holder after another: of the choices of an
 * index, or of the events of an output. What follows the end of a text is refused, since what was before it is sent.
 */
export class AnswerPieces {
  private readonly openTexts = new Map<string, Map<string, OpenText>>();
  private readonly ended = new Set<string>();
  private openCount = 0;

  constructor(private readonly transform: TextTransform) {}

  /** The holders whose texts are open. */
  get keys(): string[] {
    return [...this.openTexts.keys()];
  }

  hasEnded(key: string): boolean {
    return this.ended.has(key);
  }

  /** @throws BadUpstream where the texts of a holder have ended */
  requireOpen(key: string): void {
    if (this.ended.has(key)) throw continuedAfterEnd();
  }

  isOpen(key: string): boolean {
    return this.openTexts.has(key);
  }

  /** Lets texts of a holder begin again: what follows is another text. */
  reopen(key: string): void {
    this.ended.delete(key);
  }

  /**
   * Changes the pieces of a holder in place.
   * @param whole for what is no piece: names, numbers, sounds
   * @throws BadUpstream where there are too many texts, or one goes on behind its end; PlatformError of the transform
   */
  async transformPieces(key: string, holder: JsonObject, whole: WholeAnswerTexts, path: JsonPath = []): Promise<void> {
    const names = new MemberNames(holder, whole);
    for (const [name, value] of Object.entries(holder)) {
      if (whole.cooperation.isDue) await whole.cooperation.yield();
      const named = names.transform(name);
      // Most names and values stay as they are, and there are hundreds in a stream: nothing is waited for.
      const changedName = typeof named === 'string' ? named : await named;
      if (changedName !== name) delete holder[name];
      const changed = isLogProbabilities(name)
        ? null
        : this.transformPiece(key, holder, whole, [...path, changedName], value);
      setMember(holder, changedName, changed instanceof Promise ? await changed : changed);
    }
  }

  /**
   * What a piece becomes, or a promise of it.
   * @param path of the value, whose last name is the member that it stands in or is an entry of
   */
  private transformPiece(
    key: string,
    holder: JsonObject,
    whole: WholeAnswerTexts,
    path: JsonPath,
    value: unknown,
  ): unknown {
    return isKept(nameOf(path), value, path) ? value : this.transformWritten(key, holder, whole, path, value);
  }

  /** What a piece becomes that a model may have written. */
  private async transformWritten(
    key: string,
    holder: JsonObject,
    whole: WholeAnswerTexts,
    path: JsonPath,
    value: unknown,
  ): Promise<unknown> {
    const name = nameOf(path);
    if (typeof value === 'string') {
      if (isId(name)) return whole.transformText(value, 'text');
      // Behind a piece that was a text all others are, so that they go out in their order.
      const isLeft = isEncodedMedium(holder, name, value, path.slice(0, -1)) && !this.isOpenAt(key, path);
      return isLeft ? whole.transformEncoded(value) : this.write(key, path, value, whole);
    }
    if (typeof value === 'number') return whole.transformMember(holder, name, value);
    if (Array.isArray(value)) {
      const changed: unknown[] = [];
      for (const [position, entry] of value.entries()) {
        if (whole.cooperation.isDue) await whole.cooperation.yield();
        const step = isJsonObject(entry) ? indexOf(entry, position) : position;
        changed.push(await this.transformPiece(key, holder, whole, [...path, step], entry));
      }
      return changed;
    }
    if (isJsonObject(value)) await this.transformPieces(key, value, whole, path);
    return value;
  }

  /**
   * What may be sent of a text after another piece of it, or a promise of that where the piece is long.
   * @param whole lets others have their turn between its slices
   * @throws as `transformPieces` does
   */
  write(
    key: string,
    path: JsonPath,
    piece: string,
    { cooperation }: Pick<WholeAnswerTexts, 'cooperation'>,
    format?: TextFormat,
  ): string | Promise<string> {
    if (piece === '' && !this.isOpenAt(key, path)) return piece;
    const text = this.textAt(key, path, format);
    return piece.length <= SLICE_CHARACTERS ? text.write(piece) : writeInSlices(text, piece, cooperation);
  }

  private isOpenAt(key: string, path: JsonPath): boolean {
    return this.openTexts.get(key)?.has(path.join('\0')) ?? false;
  }

  /** The text at a path, begun where it is not open. @throws as `transformPieces` does */
  textAt(key: string, path: JsonPath, format = formatOf(nameOf(path))): AnswerText {
    this.requireOpen(key);
    const ofHolder = this.openTexts.get(key) ?? new Map<string, OpenText>();
    const place = path.join('\0');
    const open = ofHolder.get(place);
    if (open) return open;
    if (key.length + place.length > MAX_PATH) {
      throw new BadUpstream('The model server writes texts in members whose names are too long.');
    }
    if (placesBefore(path) > MAX_PLACES) throw new BadUpstream('The model server writes texts too far down a list.');
    this.openCount += 1;
    if (this.openCount > MAX_OPEN) throw new BadUpstream('The model server writes too many texts at the same time.');
    const begun = new OpenText(this.transform, format, path);
    this.openTexts.set(key, ofHolder.set(place, begun));
    return begun;
  }

  /** Ends the texts of a holder, and puts what was held back of them into it. @returns whether there was anything */
  end(key: string, holder: JsonObject): boolean {
    const hasMore = this.endAt(key, [], holder);
    this.ended.add(key);
    if (this.ended.size > MAX_ENDED) throw new BadUpstream('The model server writes too many texts.');
    return hasMore;
  }

  /** As `end` does, for texts at a path and below it alone, in whose place others may begin. */
  endAt(key: string, path: JsonPath, holder: JsonObject): boolean {
    const texts = this.openTexts.get(key) ?? new Map<string, OpenText>();
    let hasMore = false;
    for (const [place, text] of texts) {
      if (!path.every((step, at) => text.path[at] === step)) continue;
      texts.delete(place);
      this.openCount -= 1;
      const rest = text.end();
      if (rest === '') continue;
      append(holder, text.path, rest);
      hasMore = true;
    }
    if (texts.size === 0) this.openTexts.delete(key);
    return hasMore;
  }
}

/** The member that a path leads to, or to an entry of. */
function nameOf(path: JsonPath): string {
  return String(path.findLast((step) => typeof step === 'string'));
}

/** How many entries of lists stand before a text, but for those that are objects: these are told by their index. */
function placesBefore(path: JsonPath): number {
  const places = path.map((step, at) => (typeof step === 'number' && typeof path[at + 1] !== 'string' ? step : 0));
  return places.reduce((sum, place) => sum + place, 0);
}

/** What servers call an entry of a list whose pieces come in several chunks; its position where they do not. */
export function indexOf({ index }: JsonObject, position: number): number {
  if (typeof index === 'string' && /^\d{1,6}$/.test(index)) return Number(index);
  return typeof index === 'number' ? index : position;
}

/** The error for a server that goes on with a text that is sent already. */
export function continuedAfterEnd(): BadUpstream {
  return new BadUpstream('The model server went on with a text that it had ended.');
}

/** Puts text behind the piece at a path, which is made where it is not there. */
function append(holder: JsonObject, path: JsonPath, text: string): void {
  const [step, ...rest] = path;
  const name = String(step);
  setMember(holder, name, appended(memberOf(holder, name), rest, text));
}

/** A value with text behind the piece at a path below it. */
function appended(value: unknown, path: JsonPath, text: string): unknown {
  const [step, next] = path;
  if (step === undefined) return typeof value === 'string' ? value + text : text;
  if (typeof step === 'string') {
    const member = isJsonObject(value) ? value : {};
    append(member, path, text);
    return member;
  }
  const list: unknown[] = Array.isArray(value) ? value : [];
  if (typeof next === 'string') {
    const found = list.findLast((entry, position) => isJsonObject(entry) && indexOf(entry, position) === step);
    if (isJsonObject(found)) append(found, path.slice(1), text);
    else list.push(appended({ index: step }, path.slice(1), text));
    return list;
  }
  while (list.length < step) list.push('');
  list[step] = appended(list[step], path.slice(1), text);
  return list;
}
