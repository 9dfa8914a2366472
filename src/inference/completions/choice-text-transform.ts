import { BadUpstream } from '../../errors.js';
import { isJsonObject, objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { formatOf, isEncoded, isWritten, withoutLogProbabilities } from '../calls/answer-texts.js';
import type { AnswerText, TextTransform } from '../calls/text-transform.js';
import type { ChunkTransform } from '../streaming/chunk-transform.js';

/** More choices than any request asks for. */
const MAX_CHOICES = 1_000;
/** More texts than a choice has: its content, its thoughts, and its calls of tools. */
const MAX_TEXTS = 1_000;

/** The way to a member of a choice: names, and the indexes of entries of lists. */
type Way = readonly (string | number)[];

/** One text of a choice that has begun. */
interface OpenText {
  readonly answer: AnswerText;
  /** To where its pieces stand. */
  readonly way: Way;
}

/**
 * Changes the texts of a stream of chat or text completions. Every string of a choice is a piece of one, but for ids and
 * words of fixed lists; which text it is of, the way to it says.
 */
export class ChoiceTextTransform implements ChunkTransform {
  /** By the index of their choice, and by their way. */
  private readonly openTexts = new Map<unknown, Map<string, OpenText>>();
  private last: JsonObject | undefined;

  constructor(private readonly textTransform: TextTransform) {}

  transform(chunk: JsonObject): JsonObject[] {
    for (const [position, choice] of objectsOf(chunk.choices).entries()) {
      const index = choice.index ?? position;
      this.transformPieces(index, choice, []);
      if (choice.finish_reason !== null && choice.finish_reason !== undefined) this.endTexts(index, choice);
    }
    for (const [name, value] of Object.entries(chunk)) {
      if (name !== 'choices') chunk[name] = this.transformWhole(chunk, name, value);
    }
    this.last = chunk;
    return [chunk];
  }

  flush(): JsonObject[] {
    const choices = [...this.openTexts.keys()].map((index) => {
      const choice: JsonObject = { index, finish_reason: null };
      return this.endTexts(index, choice) ? choice : undefined;
    });
    const left = choices.filter((choice) => choice !== undefined);
    return left.length === 0 ? [] : [{ ...this.last, choices: left }];
  }

  /** The text of the content of a choice. */
  contentOf(index: number): AnswerText {
    return this.textAt(index, ['delta', 'content']);
  }

  private transformPieces(index: unknown, holder: JsonObject, way: Way): void {
    for (const name of Object.keys(holder)) {
      const value = holder[name];
      if (typeof value === 'string') {
        if (isEncoded(holder, name, value)) this.textTransform.checkUnreadable?.('output');
        else if (isWritten(name)) holder[name] = this.write(index, [...way, name], value);
        continue;
      }
      if (typeof value !== 'object' || value === null || !isWritten(name)) continue;
      const emptied = withoutLogProbabilities(name, value);
      if (emptied) holder[name] = null;
      else if (Array.isArray(value)) this.transformEntries(index, value, [...way, name]);
      else this.transformPieces(index, value as JsonObject, [...way, name]);
    }
  }

  /** What stands beside the choices: whole texts, such as sources that were searched. */
  private transformWhole(holder: JsonObject, name: string, value: unknown): unknown {
    if (!isWritten(name)) return value;
    if (typeof value === 'string') {
      if (isEncoded(holder, name, value)) this.textTransform.checkUnreadable?.('output');
      const answer = this.textTransform.beginAnswer(formatOf(name));
      return answer.write(value) + answer.end();
    }
    if (Array.isArray(value)) return value.map((entry) => this.transformWhole(holder, name, entry));
    if (!isJsonObject(value)) return value;
    const members = Object.entries(value).map(([key, member]) => [key, this.transformWhole(value, key, member)]);
    return Object.fromEntries(members);
  }

  private transformEntries(index: unknown, list: unknown[], way: Way): void {
    for (const [position, entry] of list.entries()) {
      if (isJsonObject(entry)) this.transformPieces(index, entry, [...way, indexOf(entry, position)]);
      else if (typeof entry === 'string') list[position] = this.write(index, [...way, position], entry);
    }
  }

  /** What may be sent of a text after another piece of it. */
  private write(index: unknown, way: Way, piece: string): string {
    return this.textAt(index, way).write(piece);
  }

  private textAt(index: unknown, way: Way): AnswerText {
    const ofChoice = this.openTexts.get(index) ?? new Map<string, OpenText>();
    this.openTexts.set(index, ofChoice);
    const key = way.join(' ');
    let open = ofChoice.get(key);
    if (!open) {
      open = { answer: this.textTransform.beginAnswer(formatOf(String(way.at(-1)))), way };
      ofChoice.set(key, open);
      if (this.openTexts.size > MAX_CHOICES || ofChoice.size > MAX_TEXTS) {
        throw new BadUpstream('The model server sent too many choices or parts of them.');
      }
    }
    return open.answer;
  }

  /** Puts what was held back of a choice into it. @returns whether there was anything */
  private endTexts(index: unknown, choice: JsonObject): boolean {
    let hasMore = false;
    for (const { answer, way } of this.openTexts.get(index)?.values() ?? []) {
      const rest = answer.end();
      if (rest === '') continue;
      append(choice, way, rest);
      hasMore = true;
    }
    this.openTexts.delete(index);
    return hasMore;
  }
}

/** What servers call an entry of a list whose pieces come in several chunks; its position where they do not. */
function indexOf(entry: JsonObject, position: number): number {
  return typeof entry.index === 'number' ? entry.index : position;
}

/** Puts text behind the piece at the end of a way, which is made where it is not there. */
function append(choice: JsonObject, way: Way, text: string): void {
  let holder: JsonObject = choice;
  for (const [place, step] of way.slice(0, -1).entries()) {
    const next = way[place + 1];
    if (typeof step === 'number') continue;
    if (typeof next !== 'number') holder = memberOf(holder, step);
    else if (place + 2 < way.length) holder = entryOf(holder, step, next);
    else {
      const list = Array.isArray(holder[step]) ? holder[step] : [];
      holder[step] = [...list.slice(0, next), String(list[next] ?? '') + text, ...list.slice(next + 1)];
      return;
    }
  }
  const name = way.at(-1) as string;
  const piece = holder[name];
  holder[name] = typeof piece === 'string' ? piece + text : text;
}

function memberOf(holder: JsonObject, name: string): JsonObject {
  const member = holder[name];
  if (isJsonObject(member)) return member;
  const made: JsonObject = {};
  holder[name] = made;
  return made;
}

function entryOf(holder: JsonObject, name: string, index: number): JsonObject {
  const list = objectsOf(holder[name]);
  const found = list.find((entry, position) => indexOf(entry, position) === index);
  if (found) return found;
  const made: JsonObject = { index };
  holder[name] = [...list, made];
  return made;
}
