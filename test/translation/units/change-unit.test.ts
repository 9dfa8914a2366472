import { expect, it } from '@jest/globals';
import type { TextEdits } from '../../../src/inference/domain.js';
import { changeUnit } from '../../../src/translation/units/change-unit.js';
import type { InlinePart, InlineText } from '../../../src/translation/units/inline-text.js';

it.each<[what: string, found: RegExp, expected: string]>([
  ['in one part', /red/g, 'a (#) and /b/ car'],
  ['in two parts, with all between them', /red|b/g, 'a (#) and /#/ car'],
  ['over a pair', /red and/g, 'a (#) /b/ car'],
  ['over a mark that stands apart', /b\n car/g, 'a (red) and /#/'],
  ['at the end', /car$/g, 'a (red) and /b/ #'],
])('replaces what is found %s', async (_what, found, expected) => {
  const unit: InlineText = [
    text('a '),
    open,
    text('red'),
    close,
    text(' and '),
    apart,
    text('b'),
    apart2,
    text(' car'),
  ];

  expect(shown(await changeUnit(unit, replacing(found, '#')))).toBe(expected);
});

const text = (characters: string): InlinePart => ({ kind: 'text', text: characters });
const open: InlinePart = { kind: 'open', mark: 1 };
const close: InlinePart = { kind: 'close', mark: 1 };
const apart: InlinePart = { kind: 'single', mark: 2 };
const apart2: InlinePart = { kind: 'single', mark: 3 };
const comment: InlinePart = { kind: 'single', mark: 2, reads: '' };

function replacing(found: RegExp, by: string) {
  return (read: string, edits: TextEdits): string => {
    edits.push(
      Array.from(read.matchAll(found), ({ index, 0: { length } }) => ({ start: index, end: index + length, text: by })),
    );
    return read.replaceAll(found, by);
  };
}

function shown(unit: InlineText): string {
  const signs = { open: '(', close: ')', single: '/' };
  return unit.map((part) => (part.kind === 'text' ? part.text : signs[part.kind])).join('');
}

it('reads what stands around an invisible mark as one word, and around others as two', async () => {
  const whole = replacing(/redblue/g, '#');

  expect(shown(await changeUnit([text('red'), comment, text('blue')], whole))).toBe('#/');
  expect(shown(await changeUnit([text('red'), apart, text('blue')], whole))).toBe('red/blue');
});

it.each<[found: RegExp, expected: string]>([
  [/CUST-12/g, 'at #'],
  [/CUST-/g, 'at #12'],
  [/-12/g, 'at CUST#'],
  [/CUST/g, 'at #/12'],
  [/12/g, 'at CUST/#'],
])('takes a mark that is read as a hyphen away with what is found: %s', async (found, expected) => {
  const hyphen: InlinePart = { kind: 'single', mark: 2, reads: '-' };

  expect(shown(await changeUnit([text('at CUST'), hyphen, text('12')], replacing(found, '#')))).toBe(expected);
});

it('applies one pass behind the other', async () => {
  const both = (read: string, edits: TextEdits): string =>
    replacing(/##/g, 'x')(replacing(/a/g, '##')(read, edits), edits);

  expect(shown(await changeUnit([text('a'), open, text('ba'), close], both))).toBe('x(bx)');
});

it('refuses a change that does not tell where it was', async () => {
  await expect(changeUnit([text('a')], () => 'b')).rejects.toThrow(RangeError);
});
