import { expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { failureOf } from '../../../src/echo/pipeline/transcription-failure.js';

it.each([
  ['22P05', true],
  ['22021', true],
  ['22P02', true],
  ['40001', false],
  ['08006', false],
])('a query that fails with %s fails the recording for good at its first attempt: %s', (code, isLasting) => {
  const error = new QueryFailedError('INSERT', [], Object.assign(new Error('refused'), { code }));

  expect(failureOf(error, 1)?.isTransient).toBe(isLasting ? false : undefined);
});
