import type { MeteredUsage } from '../../metering/metering.types.js';
import { chunksOf, endOfFrame } from '../streaming/event-frames.js';
import { isJsonObject, objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { promptTexts } from './prompt.js';
import { countTokens } from './tokenizer.js';

const SAMPLE_BYTES = 8 * 1024;
const FIRST_BYTES = 1024;
/** Longer texts are counted in part, and the rest by proportion. */
const COUNTED_CHARACTERS = 64 * 1024;
const BLOCK_CHARACTERS = 16 * 1024;

/** 2^31 - 1. What an upstream tells beyond it, of one kind or of all, is no number of tokens. */
const MOST_TOKENS = 2_147_483_647;

/** Usage of a call whose answer never came. */
export const NO_USAGE: MeteredUsage = { promptTokens: 0, completionTokens: 0, precision: 'estimated' };

/** Usage of a call that no model server has been asked for: that it is nothing is no estimate. */
export const UNASKED: MeteredUsage = { promptTokens: 0, completionTokens: 0, precision: 'exact' };

/** Keeps enough of a relayed stream to estimate its tokens, should the upstream not tell them. */
export class StreamSample {
  private sample = Buffer.alloc(0);
  private sampledBytes = 0;
  private totalBytes = 0;

  /** @param block whole frames */
  add(block: Buffer): void {
    this.totalBytes += block.length;
    if (this.sampledBytes >= SAMPLE_BYTES) return;
    const enough = Math.min(SAMPLE_BYTES - this.sampledBytes, block.length) - 1;
    const end = endOfFrame(block, Math.max(0, enough - 1));
    this.makeRoom(end);
    block.copy(this.sample, this.sampledBytes, 0, end);
    this.sampledBytes += end;
  }

  /** The tokens of all that was added. */
  async estimate(): Promise<number> {
    if (this.totalBytes === 0) return 0;
    const texts = [...chunksOf(this.sample.subarray(0, this.sampledBytes))].flatMap(piecesOf);
    return Math.ceil((await estimateTokens([texts.join('')])) * (this.totalBytes / this.sampledBytes));
  }

  /** One buffer that doubles: an object for each event of thousands of streams would keep the collector busy. */
  private makeRoom(bytes: number): void {
    const needed = this.sampledBytes + bytes;
    if (needed <= this.sample.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, FIRST_BYTES, 2 * this.sample.length));
    this.sample.copy(larger, 0, 0, this.sampledBytes);
    this.sample = larger;
  }
}

/** The usage of a stream that told none, as far as it is texts. */
export async function estimateStream(request: JsonObject, sample: StreamSample): Promise<MeteredUsage> {
  const promptTokens = await estimatePrompt(request);
  return { promptTokens, completionTokens: await sample.estimate(), precision: 'estimated' };
}

/** The usage of a whole answer that told none, as far as it is texts. */
export async function estimateAnswer(request: JsonObject, answer: JsonObject): Promise<MeteredUsage> {
  const { choices, output } = answer;
  const texts = [
    ...objectsOf(choices).flatMap(choiceTexts),
    ...objectsOf(output).flatMap(itemTexts),
    ...strings([output]),
  ];
  return {
    promptTokens: await estimatePrompt(request),
    completionTokens: await estimateTokens(texts),
    precision: 'estimated',
  };
}

/** Of its texts alone: what else a model reads of it counts with its record. */
function estimatePrompt(request: JsonObject): Promise<number> {
  return estimateTokens(promptTexts(request));
}

/** What a model wrote in one event of a stream; the events of responses have it in `delta`. */
function piecesOf({ choices, delta }: JsonObject): string[] {
  return [...objectsOf(choices).flatMap(choiceTexts), ...strings([delta])];
}

/** What a model wrote in a choice: text, reasoning, and calls of tools. */
function choiceTexts({ text, message, delta }: JsonObject): string[] {
  const [said = {}] = objectsOf([message, delta]);
  const calls = objectsOf(said.tool_calls).flatMap((call) => objectsOf([call.function]));
  return [
    ...strings([text, said.content, said.reasoning_content, said.refusal]),
    ...calls.flatMap((call) => strings([call.name, call.arguments])),
  ];
}

/** What a model wrote in an output item of a response, which may be a content part. */
function itemTexts({ content, name, arguments: given, text }: JsonObject): string[] {
  return strings([name, given, text, ...objectsOf(content).flatMap((part) => [part.text, part.refusal])]);
}

function strings(values: readonly unknown[]): string[] {
  return values.filter((value): value is string => typeof value === 'string');
}

async function estimateTokens(texts: readonly string[]): Promise<number> {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  if (characters <= COUNTED_CHARACTERS) return countTokens(texts);
  const share = COUNTED_CHARACTERS / characters;
  return Math.ceil((await countTokens(texts.flatMap((text) => sampleOf(text, share)))) / share);
}

/** A share of each block of a text, from anywhere in it: nobody knows which part of a prompt will be counted. */
function sampleOf(text: string, share: number): string[] {
  const pieces = [];
  for (let start = 0; start < text.length; start += BLOCK_CHARACTERS) {
    const length = Math.min(BLOCK_CHARACTERS, text.length - start);
    const counted = Math.ceil(length * share);
    const from = start + Math.floor(Math.random() * (length - counted + 1));
    pieces.push(text.slice(from, from + counted));
  }
  return pieces;
}

/** What a model server says of its usage; null where it says nothing that can be counted. */
export function toMeteredUsage(value: unknown): MeteredUsage | null {
  if (!isJsonObject(value)) return null;
  const promptTokens = value.prompt_tokens ?? value.input_tokens;
  // Some servers leave out what follows from the others.
  const { total_tokens: total } = value;
  const others = isCount(total) && isCount(promptTokens) ? total - promptTokens : undefined;
  const completionTokens = value.completion_tokens ?? value.output_tokens ?? others;
  return isCount(promptTokens) && isCount(completionTokens) && isCount(promptTokens + completionTokens)
    ? { promptTokens, completionTokens, precision: 'exact' }
    : null;
}

/** The `usage` member of an answer whose tokens were counted here. */
export function toUsageMember(usage: MeteredUsage): JsonObject {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
  };
}

/** What a model server reported of its usage, with what it left out. */
export function completedUsage(reported: JsonObject, usage: MeteredUsage): JsonObject {
  const total = isCount(reported.total_tokens) ? { total_tokens: reported.total_tokens } : {};
  return { ...reported, ...toUsageMember(usage), ...total };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_TOKENS;
}
