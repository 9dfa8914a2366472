import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sentencesIn } from '../../../../src/platform/text/sentences/sentences.js';

it.each([
  ['titles and initials', 'Dr. Smith met Prof. J. R. Tolkien.| He left.'],
  ['abbreviations', 'Das gilt z. B. Der Fall.| See e.g. Section 5, Art. 5 Abs. 2 and No. 7.| No.| It ends.'],
  [
    'what may end a sentence, before a word that begins one',
    'He is in the U.S. Government.| He is in the U.S.| The end.',
  ],
  ['ordinals', 'Am 3. Mai endet es.| Er kam 2024.| Danach ging er.'],
  ['numbers', 'It costs 5.00 euros.| Yes!| Really?| Yes.'],
  ['lines of a page', 'A sentence\ngoes on here.| Next one'],
  ['blank lines and lists', 'Heading|\n\n- one item|\n- two items|\n(a) a third'],
  ['other scripts', '契約は終わる。|次の文。| यह एक वाक्य है।| दूसरा।'],
  ['nothing', ' \n\n '],
])('tells sentences in %s', (_what, marked) => {
  const text = marked.replaceAll('|', '');

  const sentences = Array.from(sentencesIn(text), ({ start, end }) => text.slice(start, end));

  expect(sentences).toEqual(
    marked
      .split('|')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
});

it('leaves out nothing but white space, and has every place once', () => {
  const piece = fc.constantFrom(
    'Dr. ',
    'Word',
    '. ',
    '! ',
    '\n',
    '\n\n',
    '3. ',
    ' ',
    '- ',
    '。',
    '😀',
    'u.s. ',
    '\u2028',
    '\r\n',
  );

  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
      const text = pieces.join('');
      const spans = [...sentencesIn(text)];

      const between = [0, ...spans.map(({ end }) => end)].map((end, index) =>
        text.slice(end, spans[index]?.start ?? text.length),
      );

      expect(between.join('').trim()).toBe('');
      expect(spans.every(({ start, end }) => text.slice(start, end).trim().length === end - start && end > start)).toBe(
        true,
      );
    }),
  );
});
