import { describe, expect, it } from '@jest/globals';
import { speechPieces } from '../../../src/inference/speech/speech-pieces.js';

describe('the pieces of a text that is spoken', () => {
  it.each([
    ['titles', 'I spoke to Dr. Smith and to Mr. Jones.| They left.'],
    ['a title at the beginning', 'Mr. Smith has met Dr. Jones.| They went on.'],
    ['initials and dates', 'It is by J. R. Miller of Jan. 5.| We like it.'],
    ['a sentence without blanks', '今天的天气真的是非常的好。|我们去公园玩。'],
    ['a short sentence with the next one', 'Hi. I am here now.| And you are there.'],
    ['a long sentence, not behind a title', `${'harbour '.repeat(14)}|Dr. Smith has kept the lighthouse.`],
  ])('are cut at ends of sentences: %s', (_what, text) => {
    const pieces = text.split('|').map((piece) => piece.trim());

    expect([...speechPieces(text.replaceAll('|', ''))]).toEqual(pieces);
  });
});
