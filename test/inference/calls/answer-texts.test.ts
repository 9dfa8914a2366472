import { describe, expect, it } from '@jest/globals';
import type { TextTransform } from '../../../src/inference/calls/text-transform.js';
import { transformAnswer } from '../../../src/inference/calls/whole-answer-texts.js';
import { ChoiceTextTransform } from '../../../src/inference/completions/choice-text-transform.js';
import { ResponseTextTransform } from '../../../src/inference/responses/response-text-transform.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import { SecretTransform } from '../../support/builders/secret-transform.js';

const VECTOR = `secret${'A'.repeat(300)}`;

describe('members of answers that hold no text of a model', () => {
  it.each([
    ['a note beside what was used', { usage: { note: 'secret', total_tokens: 1 } }],
    ['a name beside what was used', { usage: { 'a secret': 1 } }],
    ['what was used in a message', { message: { usage: { deep: [{ said: 'secret' }] } } }],
    ['a vector that is a text', { embedding: 'a secret' }],
    ['a vector that is a word', { data: [{ embedding: 'secret' }] }],
    ['texts among the numbers of a vector', { embedding: [0.5, 'secret'] }],
    ['an id that is a text', { id: 'a secret' }],
    ['the type of an event', { type: 'response.a secret' }],
  ])('are read where they have not their form: %s', async (_what, members) => {
    const answer: AnyJson = structuredClone(members);

    await transformAnswer(answer, new SecretTransform());
    const chunk = await new ChoiceTextTransform(new SecretTransform()).transform({
      choices: [{ index: 0, ...members }],
    });
    const event = await new ResponseTextTransform(new SecretTransform()).transform({ ...members });

    for (const changed of [answer, chunk, event]) expect(JSON.stringify(changed)).not.toContain('secret');
  });

  it.each([
    ['what was used', { usage: { prompt_tokens: 15_550_001_111, details: { secret_tokens: 15_550_001_111 } } }],
    ['numbers beside a note', { usage: { note: 'x', total_tokens: 15_550_001_111 } }],
    ['a vector', { embedding: [0.5, 15_550_001_111] }],
    ['a vector as base64', { embedding: VECTOR }],
    ['ids', { id: 'functions.secret:0', item_id: 'secret+/==', system_fingerprint: '' }],
    ['types', { type: 'response.secret_call.in_progress', object: 'secret.chunk' }],
  ])('are left as they are where they have it: %s', async (_what, members) => {
    const answer: AnyJson = structuredClone(members);

    await transformAnswer(answer, digitless);

    expect(answer).toEqual(members);
  });
});

/** Leaves neither digits nor the word `secret` in any text. */
const digitless: TextTransform = {
  transformPrompt: (text) => text,
  beginAnswer: () => ({ write: (piece) => piece.replaceAll(/\d|secret/g, '?'), end: () => '' }),
};
