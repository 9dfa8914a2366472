import { describe, expect, it } from '@jest/globals';
import { ChatFallbackStreamParser } from '../../../src/inference/responses/chat-fallback-stream-parser.js';
import { FallbackTools } from '../../../src/inference/responses/chat-fallback-tools.js';
import { chunk } from '../../support/servers/scripted-backend.js';

/** More than an answer may have, in chunks of half a MiB. */
const CHUNKS = 40;

describe('a response through chat', () => {
  it.each([
    ['a text', () => ({ content: 'x'.repeat(500_000) })],
    ['thoughts', () => ({ reasoning_content: 'x'.repeat(500_000) })],
    [
      'what a tool is called with',
      () => ({ tool_calls: [{ index: 0, function: { arguments: 'x'.repeat(500_000) } }] }),
    ],
    [
      'calls with long names',
      (at: number) => ({ tool_calls: [{ index: at, function: { name: 'x'.repeat(500_000) } }] }),
    ],
  ])('is refused where it is longer than any: %s', (_what, deltaOf) => {
    const parser = new ChatFallbackStreamParser((response) => response, new FallbackTools({}));

    const read = (): void => {
      for (let at = 0; at < CHUNKS; at += 1) parser.parse(Buffer.from(chunk(deltaOf(at))));
    };

    expect(read).toThrow('too long');
  });

  it('is refused where it has more items than any', () => {
    const parser = new ChatFallbackStreamParser((response) => response, new FallbackTools({}));
    const calls = Array.from({ length: 1_001 }, (_, index) => ({ index, function: { name: 'find' } }));

    expect(() => parser.parse(Buffer.from(chunk({ tool_calls: calls })))).toThrow('too many items');
  });
});
