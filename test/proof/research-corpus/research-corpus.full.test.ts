import { describe, expect, it } from '@jest/globals';
import { Random } from '../../crash/random.js';
import { hasCorpus, InstalledTrial } from './installed-trial.js';
import { readMirrors } from './mirrors.js';
import { readQuestions } from './questions.js';

const withCorpus = hasCorpus ? describe : describe.skip;

withCorpus('research of two manuals (skipped without nginx-light, searx, postgresql-doc-15 and apache2-doc)', () => {
  it('tells most answers, proves all that it tells, and shows what copies change', async () => {
    await using bed = await InstalledTrial.open();
    const random = new Random(7);

    // What is held out must not be seen one by one.
    const tuning = readQuestions().filter(({ half }) => half === 'tuning');
    const asked = await Promise.all(sampleOf(tuning, 6, random).map((question) => bed.trial.ask(question, 1)));
    const mirrors = sampleOf(readMirrors(), 2, random);
    await bed.web.addMirrors(mirrors);
    const shown = await Promise.all(mirrors.map((mirror) => bed.trial.askMirror(mirror)));

    const all = [...asked, ...shown];
    expect(asked.filter(({ isCovered }) => isCovered).length).toBeGreaterThan(2);
    expect(all.flatMap(({ problems }) => problems)).toEqual([]);
    expect(all.filter(({ cited, sentences }) => cited < sentences)).toEqual([]);
    expect(asked.flatMap(({ contradictions }) => contradictions)).toEqual([]);
    expect(shown.filter(({ isFound }) => isFound)).not.toEqual([]);
  }, 300_000);
});

function sampleOf<T>(all: readonly T[], count: number, random: Random): T[] {
  const left = [...all];
  return Array.from({ length: count }, () => left.splice(random.between(0, left.length - 1), 1)).flat();
}
