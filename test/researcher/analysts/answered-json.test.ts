import { describe, expect, it } from '@jest/globals';
import { answeredJson } from '../../../src/researcher/analysts/answered-json.js';

describe('the JSON that a model answers', () => {
  it.each([
    ['alone', '{"a": 1}'],
    ['behind line breaks', '\n\n  {"a": 1}\n'],
    ['in a fence of code', '```json\n{"a": 1}\n```'],
    ['in a fence without a language', '```\n{"a": 1}\n\n```\n'],
    ['among words', 'Here it is:\n```\n{"a": 1}\n```\nIs that all?'],
    ['behind a million line breaks', `\`\`\`${'\n'.repeat(900_000)}{"a": 1}`],
  ])('is read: %s', (_where, content) => {
    expect(answeredJson(answerOf(content))).toEqual({ a: 1 });
  });

  it.each([
    ['words', 'No.'],
    ['nothing', ''],
    ['a fence of line breaks', `\`\`\`${'\n'.repeat(900_000)}`],
    ['fences without an end', '```\n{\n'.repeat(100_000)],
    ['JSON that breaks off', '{"a": [1, {"b": 2}'],
    ['two objects', '{"a": 1} {"a": 2}'],
    ['more than is read', `{"a": "${'x'.repeat(1_000_000)}"}`],
  ])('is none: %s', (_what, content) => {
    expect(answeredJson(answerOf(content))).toBeUndefined();
  });
});

function answerOf(content: string) {
  return { choices: [{ message: { content } }] };
}
