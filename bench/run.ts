import { writeFileSync } from 'node:fs';
import type { Options } from './options.js';
import { reportHead, reportSection } from './report.js';
import type { Figure, Section, Size } from './section.js';

const FULL: Size = { rounds: 3, warmUpSeconds: 5, loopSeconds: 2, pacedSeconds: 4, aborted: 10_000 };
const QUICK: Size = { rounds: 1, warmUpSeconds: 0.5, loopSeconds: 1, pacedSeconds: 1, aborted: 1_000 };
/** Many times what one column takes in one round. */
const COLUMN_SECONDS = 600;

/**
 * Measures the sections that are asked for, one after another, and prints each; all of them at full length become
 * bench/RESULTS.md.
 * @throws Error where a section does not exist, fails, or takes too long
 */
export async function runSections(all: readonly Section[], { quick, only, against }: Options): Promise<void> {
  const sections = only === undefined || against !== undefined ? all : all.filter(({ name }) => name === only);
  if (sections.length === 0) throw new Error(`There is no section ${only}; --help lists them.`);
  const texts = [reportHead('npm run bench')];
  for (const section of sections) {
    const text = await runSection(section, quick);
    console.log(`\n${text}`);
    texts.push(text);
  }
  if (!quick && only === undefined && against === undefined) writeFileSync('bench/RESULTS.md', texts.join('\n'));
}

async function runSection(section: Section, quick: boolean): Promise<string> {
  const size = quick ? QUICK : FULL;
  const count = quick ? 1 : (section.rounds ?? size.rounds);
  const rounds = new Map<string, (readonly Figure[])[]>(section.columns.map((column) => [column, []]));
  for (let round = 1; round <= count; round++) {
    for (const [column, figures] of rounds) {
      const startedAt = performance.now();
      figures.push(await bounded(section.measure(column, size, round === count), `${section.name}, ${column}`));
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      console.log(`${section.name}, round ${round} of ${count}, ${column}: ${seconds} s`);
    }
  }
  return reportSection({ section, rounds });
}

/** What hangs must not hang for ever: the processes behind it are ended when this fails. */
async function bounded<T>(work: Promise<T>, what: string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${what} took too long.`)), COLUMN_SECONDS * 1_000);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
