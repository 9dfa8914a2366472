/** What of an embeddings request its answer depends on. */
export interface EmbeddingsRequest {
  readonly input: string | readonly string[];
  readonly encoding_format?: string;
}

const DIMENSIONS = 384;
const MOST_VECTORS = 2_048;
const answers = new Map<string, Buffer>();
let vectors: Float32Array[] | undefined;

/** Unit vectors of 32-bit floats, so that their numbers are as long in JSON as those of a model are; always the same. */
function makeVectors(): Float32Array[] {
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
  return Array.from({ length: MOST_VECTORS }, () => {
    const vector = Float32Array.from({ length: DIMENSIONS }, random);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}

function write(vector: Float32Array, format: string): number[] | string {
  return format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector];
}

/** The answer to a request, made once for each number of inputs and format: the upstream must not be what is measured. */
export function embeddingsAnswer({ input, encoding_format: format = 'float' }: EmbeddingsRequest): Buffer {
  const count = typeof input === 'string' ? 1 : input.length;
  const key = `${count} ${format}`;
  const known = answers.get(key);
  if (known) return known;
  vectors ??= makeVectors();
  const data = vectors
    .slice(0, count)
    .map((vector, index) => ({ object: 'embedding', index, embedding: write(vector, format) }));
  const usage = { prompt_tokens: 60 * count, total_tokens: 60 * count };
  const answer = Buffer.from(JSON.stringify({ object: 'list', model: 'embedder', data, usage }));
  answers.set(key, answer);
  return answer;
}
