import { BadUpstream } from '../../errors.js';
import { isEnd } from '../../inference/domain.js';
import type { ChunkTransform } from '../../inference/domain.js';
import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { keepKnown, TEXTS, textsOfParts } from './answer-members.js';
import { CitedJson } from './cited-json.js';
import type { JsonBudget } from './cited-json.js';
import { CitedText } from './cited-text.js';
import type { CitationVerifier } from './citation-verifier.js';

/** What all transforms of one answer share. */
export interface Citing {
  readonly verifier: CitationVerifier;
  readonly cooperation: CooperativeYield;
  /** How many choices were asked for. */
  readonly count: number;
  /** What is held of an answer that is to be JSON; undefined for any other. */
  readonly json: JsonBudget | undefined;
}

/** Leaves the marks in the chunks of a chat that are true; the citations come in a last chunk. */
export class CitingTransform implements ChunkTransform {
  /** By choice and member. */
  private readonly texts = new Map<string, CitedText | CitedJson>();
  private readonly ended = new Set<number>();
  /** What all chunks have alike. */
  private kept: JsonObject = {};

  constructor(private readonly citing: Citing) {}

  async transform(chunk: JsonObject): Promise<JsonObject[]> {
    const choices = keepKnown(chunk, 'delta', this.citing.count);
    const { id, object, created, model } = chunk;
    this.kept = { id, object, created, model };
    const before: JsonObject[] = [];
    let hasMore = choices.length === 0;
    for (const choice of choices) {
      const index = choice.index as number;
      const wasEmpty = isEmptyPiece(choice);
      await this.transformChoice(choice, index);
      if (isEnd(choice.finish_reason)) {
        before.push(...(await this.endTexts(index)));
        this.ended.add(index);
      }
      hasMore ||= wasEmpty || !isEmptyPiece(choice);
    }
    const made = hasMore ? [chunk] : [];
    return before.length === 0 ? made : [{ ...this.kept, choices: before }, ...made];
  }

  async flush(): Promise<JsonObject[]> {
    const indexes = new Set([...this.texts.keys()].map((key) => Number(key.split(' ')[0])));
    const choices: JsonObject[] = [];
    for (const index of indexes) choices.push(...(await this.endTexts(index)));
    const rest = choices.length === 0 ? [] : [{ ...this.kept, choices }];
    return [...rest, { ...this.kept, choices: [], citations: this.citing.verifier.citations }];
  }

  private async transformChoice({ delta }: JsonObject, index: number): Promise<void> {
    if (!isJsonObject(delta)) return;
    for (const name of TEXTS) {
      if (name in delta) delta[name] = await citeValue(delta[name], (text) => this.write(index, name, text));
    }
  }

  private async write(index: number, name: string, text: string): Promise<string> {
    if (text !== '' && this.ended.has(index)) {
      throw new BadUpstream('The model server went on with a text that it had ended.');
    }
    return this.textOf(index, name).write(text);
  }

  /** The choice with what was held back of it; none where that is nothing. */
  private async endTexts(index: number): Promise<JsonObject[]> {
    const delta: JsonObject = {};
    for (const name of TEXTS) {
      const rest = (await this.texts.get(keyOf(index, name))?.end()) ?? '';
      if (rest !== '') delta[name] = rest;
    }
    return Object.keys(delta).length === 0 ? [] : [{ index, delta, finish_reason: null }];
  }

  private textOf(index: number, name: string): CitedText | CitedJson {
    const key = keyOf(index, name);
    const known = this.texts.get(key) ?? newText(this.citing, name);
    this.texts.set(key, known);
    return known;
  }
}

/**
 * Leaves the marks in a whole answer that are true, and adds the citations.
 * @throws BadUpstream where it has another form; the reason of the signal
 */
export async function citeAnswer(answer: JsonObject, citing: Citing): Promise<JsonObject> {
  for (const { message } of keepKnown(answer, 'message', citing.count)) {
    if (!isJsonObject(message)) continue;
    for (const name of TEXTS) {
      if (!(name in message)) continue;
      const text = newText(citing, name);
      message[name] = await citeValue(message[name], (piece) => text.write(piece));
      message[name] = appended(message[name], await text.end());
    }
  }
  return { ...answer, citations: citing.verifier.citations };
}

/** Citations are those of the answer alone: of other texts only what is not true is left out. */
function newText({ verifier, cooperation, json }: Citing, name: string): CitedText | CitedJson {
  const isAnswer = name === 'content';
  const budget = isAnswer ? json : undefined;
  const newPlain = () => new CitedText(isAnswer ? verifier : verifier.withoutCitations(), cooperation, !budget);
  return budget ? new CitedJson(newPlain, budget, cooperation) : newPlain();
}

/** A text, or the texts of the parts of one; what is neither is nothing that a client would show, and left out. */
async function citeValue(value: unknown, write: (text: string) => Promise<string>): Promise<unknown> {
  if (typeof value === 'string') return write(value);
  if (!Array.isArray(value)) return null;
  const parts: JsonObject[] = [];
  for (const text of textsOfParts(value)) parts.push({ type: 'text', text: await write(text) });
  return parts;
}

/** A text with what was held back of it, which of parts is one of its own. */
function appended(value: unknown, rest: string): unknown {
  if (rest === '') return value;
  return Array.isArray(value)
    ? [...value, { type: 'text', text: rest }]
    : `${typeof value === 'string' ? value : ''}${rest}`;
}

function keyOf(index: number, name: string): string {
  return `${index} ${name}`;
}

/** Whether a piece says nothing, as one does whose text is held back. */
function isEmptyPiece({ delta, finish_reason: reason }: JsonObject): boolean {
  if (!isJsonObject(delta) || isEnd(reason)) return false;
  const [name, ...others] = Object.keys(delta);
  return others.length === 0 && name !== undefined && delta[name] === '';
}
