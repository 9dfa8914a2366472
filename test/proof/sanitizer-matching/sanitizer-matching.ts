import { TextMatcher } from '../../../src/sanitizer/matching/text-matcher.js';
import { Random } from '../../crash/random.js';
import type { TestBed } from '../../crash/test-bed.js';
import type { Proof, ProofOptions, Proven } from '../proof.js';
import { frameText } from './framed-text.js';
import { PERSONAL_RULES } from './personal-strings.js';
import { makePersonalText } from './personal-texts.js';
import { findSplitProblem } from './split-problem.js';

const TEXTS = 10_000;
const MOST_PROBLEMS = 20;

/** Personal strings are found, and as a whole, wherever they are cut. */
export const sanitizerMatching: Proof = {
  name: 'sanitizer-matching',
  about: '10,000 personal strings of all kinds, spelled in many ways, are found whole wherever they are cut',
  run: async (_bed: TestBed, { seed }: ProofOptions): Promise<Proven> => {
    const matcher = new TextMatcher(PERSONAL_RULES);
    const random = new Random(seed);
    const [sorts, spellings] = [new Tally(), new Tally()];
    const problems: string[] = [];
    for (let number = 0; number < TEXTS; number += 1) {
      const text = makePersonalText(random);
      const problem = findSplitProblem(matcher, text);
      if (problem !== null && problems.length < MOST_PROBLEMS) problems.push(problem);
      sorts.add(text.sort, text.text);
      spellings.add(text.spelling, text.text);
    }
    const report = `## Matching: seed ${seed}

${sorts.toTable('string')}

${spellings.toTable('spelling')}
`;
    return { report, problems };
  },
};

/** Counts texts, and the places at which they were cut. */
class Tally {
  private readonly rows = new Map<string, { texts: number; characters: number; bytes: number }>();

  add(name: string, text: string): void {
    const row = this.rows.get(name) ?? { texts: 0, characters: 0, bytes: 0 };
    row.texts += 1;
    row.characters += text.length - 1;
    row.bytes += frameText(text).length - 1;
    this.rows.set(name, row);
  }

  toTable(name: string): string {
    const rows = [...this.rows].sort().map(([key, { texts, characters, bytes }]) => {
      return `| ${key} | ${texts} | ${characters} | ${bytes} |`;
    });
    return [`| ${name} | texts | cuts of the text | cuts of its bytes |`, '| --- | --- | --- | --- |', ...rows].join(
      '\n',
    );
  }
}
