import { expect, it } from '@jest/globals';
import { RE2JS } from 're2js';
import { OPERATION, PatternProgram } from '../../../../src/sanitizer/matching/patterns/pattern-program.js';

it('knows the programs of the version of re2js that is installed', () => {
  const { prog } = (RE2JS.compile('a|\\bb+') as unknown as { re2Input: { prog: unknown } }).re2Input;

  // What this stands on is not part of the library's interface: look at its Inst.js where it has changed.
  expect(String(prog)).toBe(`0       fail
1       rune1 "a" -> 6
2       empty 16 -> 3
3       rune1 "b" -> 4
4       alt -> 3, 6
5*      alt -> 1, 2
6       match
`);
  expect([...new PatternProgram('a|\\bb+').operations]).toEqual([
    OPERATION.fail,
    OPERATION.rune,
    OPERATION.emptyWidth,
    OPERATION.rune,
    OPERATION.alternative,
    OPERATION.alternative,
    OPERATION.match,
  ]);
});

it.each([
  ['EMP-\\d+', ['EMP-']],
  ['[a-z]+@corp\\.example', ['@corp.example']],
  ['(?:CUST|ORDER)-\\d', ['CUST', 'ORDER']],
  ['(?:alpha|beta)\\d', ['alpha', 'beta']],
  ['(?i)internal only', ['internal only']],
  ['x*foo?', ['fo']],
  ['\\d+', null],
  ['a|\\d', null],
])('knows what must be in a text that %s matches', (pattern, literals) => {
  const program = new PatternProgram(pattern);

  expect(program.literals).toEqual(literals);
});

it.each([
  ['abc', 6],
  ['a{2,5}b?', 12],
  ['a|bcd', 6],
  ['ab*', Number.POSITIVE_INFINITY],
  ['(?:ab+c)?', Number.POSITIVE_INFINITY],
])('knows how long a match of %s can be', (pattern, longest) => {
  const program = new PatternProgram(pattern);

  expect(program.longest).toBe(longest);
});

it.each(['(?i)[b-힣]', '(?i)[b-\\x{1e942}]', '(?i)[b-힣b-힣', '(?i)[--힣]', '\\pL', '[^\\PN]'])(
  'refuses a pattern that is full of %s before it takes time',
  (part) => {
    const pattern = part.repeat(30);

    const compile = () => new PatternProgram(pattern);

    expect(compile).toThrow('The pattern has too many large classes.');
  },
);

it.each(['(?i)[ぁ-んァ-ン一-龥]{2,4}', '[\\pL\\pN._-]{1,64}@[\\pL\\pN.-]{1,60}', '(?i)[a-z]'.repeat(100)])(
  'takes %s',
  (pattern) => {
    const program = new PatternProgram(pattern);

    expect(program.operations.length).toBeGreaterThan(0);
  },
);

it('refuses a pattern that repeats too much', () => {
  const compile = () => new PatternProgram('(?:a{100}){100}');

  expect(compile).toThrow();
});
