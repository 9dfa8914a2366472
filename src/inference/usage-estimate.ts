import type { MeteredUsage } from '../metering/metering.types.js';
import { promptTexts } from './chat-prompt.js';
import { ChatEvents } from './chat-events.js';
import { endOfFrame } from './event-frames.js';
import { objectsOf } from './json.types.js';
import type { JsonObject } from './json.types.js';
import { countTokens } from './tokenizer.js';

const SAMPLE_BYTES = 8 * 1024;
/** Longer texts are counted in part, and the rest by proportion. */
const COUNTED_CHARACTERS = 64 * 1024;

/** Usage of a call whose answer never came. */
export const NO_USAGE: MeteredUsage = { promptTokens: 0, completionTokens: 0, precision: 'estimated' };

/** Keeps enough of a relayed stream to estimate its tokens, should the upstream not tell them. */
export class StreamSample {
  private readonly frames: Buffer[] = [];
  private sampledBytes = 0;
  private totalBytes = 0;

  /** @param block whole frames */
  add(block: Buffer): void {
    this.totalBytes += block.length;
    if (this.sampledBytes >= SAMPLE_BYTES) return;
    const enough = Math.min(SAMPLE_BYTES - this.sampledBytes, block.length) - 1;
    const end = endOfFrame(block, Math.max(0, enough - 1));
    // A copy: the block is part of a larger read of the socket.
    this.frames.push(Buffer.from(block.subarray(0, end)));
    this.sampledBytes += end;
  }

  /** The tokens of all that was added. */
  async estimate(): Promise<number> {
    if (this.totalBytes === 0) return 0;
    const chunks = new ChatEvents().parse(Buffer.concat(this.frames));
    const texts = chunks.flatMap((chunk) => objectsOf(chunk.choices)).flatMap(({ delta }) => textsOf(delta));
    return Math.ceil((await estimateTokens([texts.join('')])) * (this.totalBytes / this.sampledBytes));
  }
}

/** The usage of a stream that told none. */
export async function estimateStream(body: JsonObject, sample: StreamSample): Promise<MeteredUsage> {
  const promptTokens = await estimateTokens(promptTexts(body));
  return { promptTokens, completionTokens: await sample.estimate(), precision: 'estimated' };
}

/** The usage of a whole answer that told none. */
export async function estimateAnswer(body: JsonObject, answer: JsonObject): Promise<MeteredUsage> {
  const texts = objectsOf(answer.choices).flatMap(({ message }) => textsOf(message));
  return {
    promptTokens: await estimateTokens(promptTexts(body)),
    completionTokens: await estimateTokens(texts),
    precision: 'estimated',
  };
}

/** What a model wrote in a message or a delta: text, reasoning, and calls of tools. */
function textsOf(message: unknown): string[] {
  const [{ content, reasoning_content: reasoning, refusal, tool_calls: toolCalls } = {} as JsonObject] = objectsOf([
    message,
  ]);
  const calls = objectsOf(toolCalls).flatMap((call) => objectsOf([call.function]));
  const written = [content, reasoning, refusal, ...calls.flatMap((call) => [call.name, call.arguments])];
  return written.filter((text): text is string => typeof text === 'string');
}

async function estimateTokens(texts: readonly string[]): Promise<number> {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  if (characters <= COUNTED_CHARACTERS) return countTokens(texts);
  const share = COUNTED_CHARACTERS / characters;
  const sample = texts.map((text) => text.slice(0, Math.ceil(text.length * share)));
  return Math.ceil((await countTokens(sample)) / share);
}
