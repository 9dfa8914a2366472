import { describe, expect, it } from '@jest/globals';
import { compileBodySchema } from '../../src/graph/json-schema.js';

describe('a body that does not fit its schema', () => {
  it.each([
    [
      'inference/embeddings',
      { model: 'm', input: 'x', encoding_format: 'hex' },
      'encoding_format',
      'float, base64, null',
    ],
    ['echo/speech', { model: 'm', input: 'x', voice: 'v', stream_format: 'x' }, 'stream_format', 'audio, sse, null'],
  ])('is told every value that a field may have, null included: %s', (file, body, param, values) => {
    const check = compileBodySchema(new URL(`../../schema/rest/${file}.schema.json`, import.meta.url));

    const refusal = { status: 400, message: `${param} must be one of ${values}.`, details: { param } };
    expect(() => check(body)).toThrow(expect.objectContaining(refusal));
  });
});
