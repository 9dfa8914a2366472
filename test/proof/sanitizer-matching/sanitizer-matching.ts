import { TextMatcher } from '../../../src/sanitizer/matching/text-matcher.js';
import { Random } from '../../crash/random.js';
import { ALL_KINDS } from '../../support/matched-texts.js';
import type { TestBed } from '../../crash/test-bed.js';
import type { Proof, ProofOptions, Proven } from '../proof.js';
import { makePersonalText } from './personal-texts.js';
import { findSplitProblem } from './split-problem.js';

const TEXTS = 10_000;
const MOST_PROBLEMS = 20;

/** Personal strings are found, and as a whole, wherever they are cut. */
export const sanitizerMatching: Proof = {
  name: 'sanitizer-matching',
  about: '10,000 personal strings of all kinds, spelled in many ways, are found whole wherever they are cut',
  run: async (_bed: TestBed, { seed }: ProofOptions): Promise<Proven> => {
    const matcher = new TextMatcher(ALL_KINDS);
    const random = new Random(seed);
    const rows = new Map<string, { texts: number; cuts: number }>();
    const problems: string[] = [];
    for (let number = 0; number < TEXTS; number += 1) {
      const text = makePersonalText(random);
      const problem = findSplitProblem(matcher, text);
      if (problem !== null && problems.length < MOST_PROBLEMS) problems.push(problem);
      const name = `${text.kind} | ${text.spelling}`;
      const row = rows.get(name) ?? { texts: 0, cuts: 0 };
      rows.set(name, { texts: row.texts + 1, cuts: row.cuts + text.text.length });
    }
    const lines = [...rows].sort().map(([name, { texts, cuts }]) => `| ${name} | ${texts} | ${cuts} |`);
    const report = `## Matching: seed ${seed}

| kind | spelling | texts | ways to cut them |
| --- | --- | --- | --- |
${lines.join('\n')}
`;
    return { report, problems };
  },
};
