import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { transformRequest } from '../../../src/inference/calls/request-texts.js';
import { ChoiceTextTransform } from '../../../src/inference/completions/choice-text-transform.js';
import { ResponseTextTransform } from '../../../src/inference/responses/response-text-transform.js';
import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';
import { SecretTransform } from '../../support/builders/secret-transform.js';

describe('the texts of a call that nobody waits for any more', () => {
  const left = AbortSignal.abort(new Error('The caller has left.'));
  const body = { note: ['a', 'b'] };

  beforeEach(runClock);
  afterEach(() => void jest.restoreAllMocks());

  it.each([
    ['a request', () => transformRequest(body, new SecretTransform(), left)],
    ['a chunk', () => new ChoiceTextTransform(new SecretTransform(), { cooperation: turns() }).transform(body)],
    ['an event', () => new ResponseTextTransform(new SecretTransform(), turns()).transform(body)],
  ])('are not changed to their end: those of %s', async (_what, transform) => {
    await expect(transform()).rejects.toThrow('The caller has left.');
  });

  function turns(): CooperativeYield {
    return new CooperativeYield(left);
  }
});

/** Each look at the clock finds it a second later, so that it is always the turn of others. */
function runClock(): void {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
}
