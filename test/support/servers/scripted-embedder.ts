import { json } from './scripted-backend.js';
import type { ReceivedRequest, Script } from './scripted-backend.js';

/** Answers an embeddings request with vectors of so many numbers, alike for texts that have words in common. */
export function embeddings({ body }: ReceivedRequest, dimensions = 16): Script {
  const inputs = [body.input].flat() as string[];
  const data = inputs.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, dimensions) }));
  const usage = { prompt_tokens: inputs.length, total_tokens: inputs.length };
  return json(200, { object: 'list', model: 'scripted', data, usage });
}

function vectorOf(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0.01);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let hash = 7;
    for (const letter of word) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
    vector[hash % dimensions] = (vector[hash % dimensions] ?? 0) + 1;
  }
  return vector;
}
