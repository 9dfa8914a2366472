import { extractByRules } from '../../../src/documents/rules/extract-by-rules.js';
import { findOcrPrograms } from '../../../src/platform/extraction/ocr-programs.js';
import { Random } from '../../crash/random.js';
import type { TestBed } from '../../crash/test-bed.js';
import type { Proof, ProofOptions, Proven } from '../proof.js';
import { outcomesOf } from './measures/outcomes.js';
import type { Outcome } from './measures/outcomes.js';
import { measureTimes } from './measures/times.js';
import { toConfidenceTable, toFieldTable, toHeldOutTable, toTimesTable } from './report.js';
import { isScanned, scansOf } from './scans/scans-of-set.js';
import { lexiconWithoutHeldOut } from './set/label-split.js';
import type { SetDocument } from './set/document.types.js';
import { makeSet, WHOLE_SET } from './set/make-set.js';
import { readDocument } from './set/read-document.js';
import { problemsOf } from './wanted.js';

/** One document of so many is scanned as well. */
const SCANNED = 7;
/** And one of so many is timed. */
const TIMED = 4;

/** Values are found with their proof, and a confidence means what it says. */
export const documentExtraction: Proof = {
  name: 'document-extraction',
  about:
    '300 invoices, 60 contracts and 40 forms are read by rules: how many fields are right, and how sure that is known',
  run: async (_bed: TestBed, { seed }: ProofOptions): Promise<Proven> => {
    const programs = await findOcrPrograms();
    const lexicon = lexiconWithoutHeldOut();
    const [random, digital, full] = [new Random(seed), [] as Outcome[], [] as Outcome[]];
    const scanned = new Map<number, Outcome[]>();
    const unproved: string[] = [];
    const timed: SetDocument[] = [];
    let index = 0;
    for await (const document of makeSet(WHOLE_SET, seed)) {
      const pages = await readDocument(document.pdf);
      const proposals = await extractByRules(document.schema, pages, undefined, lexicon);
      for (const { path, pageIndex, start, end, quote } of proposals) {
        if (pages[pageIndex]?.text.slice(start, end) !== quote) unproved.push(`${document.id} ${path}: ${quote}`);
      }
      digital.push(...outcomesOf(document, proposals));
      full.push(...outcomesOf(document, await extractByRules(document.schema, pages)));
      if (programs?.pdftoppm && isScanned(document, index, SCANNED)) {
        for await (const { scan, quality } of scansOf(document, random, programs.pdftoppm)) {
          const found = await extractByRules(scan.schema, await readDocument(scan.pdf, programs), undefined, lexicon);
          const some = scanned.get(quality.dotsPerInch) ?? [];
          scanned.set(quality.dotsPerInch, [...some, ...outcomesOf(scan, found)]);
        }
      }
      if (index % TIMED === 0) timed.push(document);
      index += 1;
    }
    const report = `## Extraction: seed ${seed}

${toFieldTable(digital, scanned)}

${toHeldOutTable(digital, full)}

${toConfidenceTable(digital, scanned)}

${toTimesTable(await measureTimes(timed))}
`;
    return {
      report,
      problems: [...problemsOf(digital, scanned), ...unproved.map((text) => `Not on its page: ${text}`)],
    };
  },
};
