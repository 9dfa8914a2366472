import { expect, it } from '@jest/globals';
import { relevantText } from '../../../src/researcher/analysts/relevant-text.js';
import { CountedTurns } from '../../support/probes/counted-turns.js';

it.each([
  ['short lines', '\n\n- b'],
  ['marks', '\n\n-'],
  ['headings', '\n\nBridge of Kessel'],
  ['words without an end', 'lamps '],
])('lets others have their turn while it reads many of the same: %s', async (_what, part) => {
  const turns = new CountedTurns();
  const text = part.repeat(5_000);

  const kept = await relevantText({ id: 's', url: 'u', title: null, text, language: 'en' }, ['Lamps?'], 1_000, turns);

  expect(kept.length).toBeLessThanOrEqual(1_000);
  expect(turns.count).toBeGreaterThanOrEqual(text.length / 20_000);
  // As often as there is something to read, where it is short.
  if (part.startsWith('\n')) expect(turns.count).toBeGreaterThanOrEqual(5_000);
});
