import { describe, expect, it } from '@jest/globals';
import { transformRequest } from '../../../src/inference/calls/request-texts.js';
import type { AnswerText, TextTransform } from '../../../src/inference/calls/text-transform.js';
import { transformAnswer } from '../../../src/inference/calls/whole-answer-texts.js';
import { ChoiceTextTransform } from '../../../src/inference/completions/choice-text-transform.js';
import type { JsonObject } from '../../../src/platform/json/json-object.js';
import { SecretTransform } from '../../support/builders/secret-transform.js';

const TAKEN = { '[WORD] 2': 'a', secret: 'b', '[WORD]': 'c', 'secret 2': 'd' };

describe('members whose names become alike', () => {
  it.each([
    ['the metadata of a request', metadataWith],
    ['the options of a request', (members: JsonObject) => transformRequest(members, new SecretTransform())],
    ['an answer', answerWith],
    ['a chunk of a stream', chunkWith],
  ])('are all kept, and those that have their name keep it: in %s', async (_where, change) => {
    const changed = await change({ ...TAKEN });

    expect(changed).toEqual({ '[WORD] 2': 'a', '[WORD] 3': 'b', '[WORD]': 'c', '[WORD] 2 2': 'd' });
  });

  it.each([
    ['an answer', answerWith],
    ['a chunk of a stream', chunkWith],
  ])('are members of their own, whatever they become: in %s', async (_where, change) => {
    const restored = { transformPrompt: (text: string) => text, beginAnswer: restoring };

    const changed = await change({ secret: { polluted: 'b' } }, restored);

    expect(JSON.stringify(changed)).toBe('{"__proto__":{"polluted":"b"}}');
  });

  it('are numbered on, however many there are', async () => {
    const names = Array.from({ length: 3_000 }, (_, index) => [`secret${'\u200b'.repeat(index)}`, index]);
    const masked = { transformPrompt: () => '[WORD]', beginAnswer: () => new SecretTransform().beginAnswer() };

    const changed = await transformRequest(Object.fromEntries(names) as JsonObject, masked);

    expect(Object.keys(changed)).toHaveLength(3_000);
    expect(changed['[WORD] 3000']).toBe(2_999);
  });
});

async function metadataWith(metadata: JsonObject): Promise<JsonObject> {
  const changed = await transformRequest({ metadata }, new SecretTransform());
  return changed.metadata as JsonObject;
}

async function answerWith(members: JsonObject, transform: TextTransform = new SecretTransform()): Promise<JsonObject> {
  await transformAnswer(members, transform);
  return members;
}

async function chunkWith(members: JsonObject, transform: TextTransform = new SecretTransform()): Promise<JsonObject> {
  const delta = structuredClone(members);
  await new ChoiceTextTransform(transform).transform({ choices: [{ index: 0, delta }] });
  return delta;
}

/** Puts a name in the place of its pseudonym that means something else where it is assigned. */
function restoring(): AnswerText {
  return { write: (piece) => piece.replaceAll('secret', '__proto__'), end: () => '' };
}
