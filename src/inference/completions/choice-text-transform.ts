import { BadUpstream } from '../../errors.js';
import { isJsonObject, objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { AnswerText, TextTransform } from '../calls/text-transform.js';
import type { ChunkTransform } from '../streaming/chunk-transform.js';

/** The members of a delta, or of a choice, that hold a piece of what the model writes. */
const PIECES = ['text', 'content', 'reasoning_content', 'reasoning', 'refusal'];

/** More choices than any request asks for. */
const MAX_CHOICES = 1_000;

/** One text of a choice that has begun, and where its pieces stand in a chunk. */
interface OpenText {
  readonly answer: AnswerText;
  /** Puts text behind whatever piece a choice has. */
  append(choice: JsonObject, text: string): void;
}

/** Changes the texts of a stream of chat or text completions, each choice's and each tool call's by itself. */
export class ChoiceTextTransform implements ChunkTransform {
  /** By the index of their choice. */
  private readonly openTexts = new Map<unknown, Map<string, OpenText>>();
  private last: JsonObject | undefined;

  constructor(private readonly textTransform: TextTransform) {}

  transform(chunk: JsonObject): JsonObject[] {
    for (const [position, choice] of objectsOf(chunk.choices).entries()) {
      const index = choice.index ?? position;
      // They tell the texts token by token, as the model wrote them.
      if ('logprobs' in choice) choice.logprobs = null;
      this.transformPieces(index, choice);
      if (choice.finish_reason !== null && choice.finish_reason !== undefined) this.endTexts(index, choice);
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

  private transformPieces(index: unknown, choice: JsonObject): void {
    const delta = isJsonObject(choice.delta) ? choice.delta : {};
    for (const name of PIECES) {
      this.write(index, name, delta, name, (other, text) => appendTo(deltaOf(other), name, text));
      this.write(index, `choice ${name}`, choice, name, (other, text) => appendTo(other, name, text));
    }
    for (const [position, call] of objectsOf(delta.tool_calls).entries()) {
      const callIndex = call.index ?? position;
      if (!isJsonObject(call.function)) continue;
      this.write(index, `call ${String(callIndex)}`, call.function, 'arguments', (other, text) => {
        const calls = objectsOf(deltaOf(other).tool_calls);
        const found = calls.find((entry) => entry.index === callIndex);
        const added = found ?? { index: callIndex, function: {} };
        appendTo(added.function as JsonObject, 'arguments', text);
        if (!found) deltaOf(other).tool_calls = [...calls, added];
      });
    }
  }

  /** Replaces a piece by what may be sent of it. */
  private write(index: unknown, key: string, holder: JsonObject, name: string, append: OpenText['append']): void {
    const piece = holder[name];
    if (typeof piece !== 'string') return;
    const ofChoice = this.openTexts.get(index) ?? new Map<string, OpenText>();
    this.openTexts.set(index, ofChoice);
    if (this.openTexts.size > MAX_CHOICES) throw new BadUpstream('The model server sent too many choices.');
    const open = ofChoice.get(key) ?? { answer: this.textTransform.beginAnswer(), append };
    ofChoice.set(key, open);
    holder[name] = open.answer.write(piece);
  }

  /** Puts what was held back of a choice into it. @returns whether there was anything */
  private endTexts(index: unknown, choice: JsonObject): boolean {
    let hasMore = false;
    for (const { answer, append } of this.openTexts.get(index)?.values() ?? []) {
      const rest = answer.end();
      if (rest === '') continue;
      append(choice, rest);
      hasMore = true;
    }
    this.openTexts.delete(index);
    return hasMore;
  }
}

function deltaOf(choice: JsonObject): JsonObject {
  if (!isJsonObject(choice.delta)) choice.delta = {};
  return choice.delta as JsonObject;
}

function appendTo(holder: JsonObject, name: string, text: string): void {
  const piece = holder[name];
  holder[name] = typeof piece === 'string' ? piece + text : text;
}
