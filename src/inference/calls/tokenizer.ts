import { CooperativeYield } from '../../platform/async/cooperative-yield.js';

/** Long runs of one kind of character cost the tokenizer quadratic time, so it never sees more at once. */
const SLICE_CHARACTERS = 256;

/** Text that looks like a control token is text. */
const OPTIONS = { disallowedSpecial: new Set<string>() };

/**
 * How many tokens of the encoding cl100k_base texts have. The first call loads its tables: 40 MiB, and 0.1 s in which
 * nothing else runs.
 * @throws the reason of the signal
 */
export async function countTokens(texts: readonly string[], signal?: AbortSignal): Promise<number> {
  const tokenizer = await load();
  const cooperation = new CooperativeYield(signal);
  let count = 0;
  for (const text of texts) {
    for (const slice of slices(text)) {
      if (cooperation.isDue) await cooperation.yield();
      count += tokenizer.countTokens(slice, OPTIONS);
    }
  }
  // What it has learned by heart is text of a caller.
  tokenizer.clearMergeCache();
  return count;
}

/** The first `max` tokens of a text, as whole characters, and how many tokens they are. */
export async function takeTokens(text: string, max: number): Promise<{ text: string; tokens: number }> {
  const tokenizer = await load();
  let taken = '';
  let tokens = 0;
  for (const slice of slices(text)) {
    const encoded = tokenizer.encode(slice, OPTIONS);
    if (tokens + encoded.length > max) {
      taken += tokenizer.decode(encoded.slice(0, max - tokens));
      tokens = max;
      break;
    }
    taken += slice;
    tokens += encoded.length;
  }
  tokenizer.clearMergeCache();
  return { text: taken, tokens };
}

/** The text that tokens stand for; undefined where a number is no token. */
export async function textOfTokens(tokens: readonly number[]): Promise<string | undefined> {
  const tokenizer = await load();
  try {
    return tokenizer.decode(tokens);
  } catch {
    return undefined;
  }
}

function load(): Promise<typeof import('gpt-tokenizer/encoding/cl100k_base')> {
  return import('gpt-tokenizer/encoding/cl100k_base');
}

/** Pieces of a text, cut in front of a space where there is one: that is where tokens begin. */
function* slices(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const window = text.slice(start, start + SLICE_CHARACTERS);
    const slice = start + window.length < text.length ? window.slice(0, cutOf(window)) : window;
    yield slice;
    start += slice.length;
  }
}

function cutOf(window: string): number {
  const space = window.lastIndexOf(' ');
  if (space > 0) return space;
  return isHighSurrogate(window.charCodeAt(window.length - 1)) ? window.length - 1 : window.length;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
