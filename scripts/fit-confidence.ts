/**
 * Fits the weights of src/documents/confidence/weights.json: npx tsx scripts/fit-confidence.ts [--seed N] [--scanned N]
 *
 * The documents are those of the proof document-extraction that are not held out; of the first set one of so many is
 * scanned as well, none with 0. Each is read with the builtin words, and again with half, a fifth and none of them and of
 * the schema's labels, since documents of users have words that nobody knew. What speaks for a value may not count against
 * it, nor the other way round: where the documents say so by chance, that counts nothing. Told are the figures of five
 * folds by document: all values of a document are in one fold.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { FEATURES, toFeatures } from '../src/documents/confidence/features.js';
import { fitLogistic, predict } from '../src/documents/confidence/logistic-regression.js';
import type { Observation, Weights } from '../src/documents/confidence/logistic-regression.js';
import { extractByRules } from '../src/documents/rules/extract-by-rules.js';
import type { Concept, Lexicon } from '../src/documents/rules/labels/lexicon.js';
import type { SchemaField } from '../src/documents/schema/schema.types.js';
import type { OcrPrograms } from '../src/platform/extraction/extraction.types.js';
import { findOcrPrograms } from '../src/platform/extraction/ocr-programs.js';
import { Random } from '../test/crash/random.js';
import { confidenceFigures } from '../test/proof/document-extraction/measures/figures.js';
import { outcomesOf } from '../test/proof/document-extraction/measures/outcomes.js';
import { isScanned, scansOf } from '../test/proof/document-extraction/scans/scans-of-set.js';
import type { SetDocument } from '../test/proof/document-extraction/set/document.types.js';
import { lexiconWithoutHeldOut } from '../test/proof/document-extraction/set/label-split.js';
import { makeSet, WHOLE_SET } from '../test/proof/document-extraction/set/make-set.js';
import { readDocument } from '../test/proof/document-extraction/set/read-document.js';

const WEIGHTS = new URL('../src/documents/confidence/weights.json', import.meta.url);
const FOLDS = 5;
const RIDGE = 2;
/** So many sets are read, one seed after another: what is rare, as a date of an unknown order, is in few documents. */
const SETS = 4;
/** How much of the words each document is read with. */
const SHARES = [1, 0.5, 0.2, 0] as const;

interface Sample extends Observation {
  readonly fold: number;
}

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '7' }, scanned: { type: 'string', default: '4' } },
});
const [seed, scanned] = [Number(values.seed), Number(values.scanned)];
const programs = await findOcrPrograms();
if (!programs?.pdftoppm) throw new Error('tesseract and pdftoppm are needed');
const samples = await collect(seed, programs);
const judged = Array.from({ length: FOLDS }, (_, fold) => {
  const weights = fitSigned(samples.filter((sample) => sample.fold !== fold));
  return samples
    .filter((sample) => sample.fold === fold)
    .map(({ features, isRight }) => ({ confidence: predict(weights, features), isRight }));
}).flat();
console.log(`${samples.length} values of ${FOLDS} folds:`, confidenceFigures(judged));
const [bias = 0, ...weights] = fitSigned(samples).map((weight) => Math.round(weight * 1e4) / 1e4);
const named = Object.fromEntries(FEATURES.map((name, index) => [name, weights[index] ?? 0]));
writeFileSync(WEIGHTS, `${JSON.stringify({ bias, weights: named }, null, 2)}\n`);

async function collect(firstSeed: number, ocr: OcrPrograms): Promise<Sample[]> {
  const [random, lexicon] = [new Random(firstSeed), lexiconWithoutHeldOut()];
  const collected: Sample[] = [];
  let index = 0;
  for (let set = 0; set < SETS; set += 1) {
    for await (const document of makeSet(WHOLE_SET, firstSeed + set)) {
      if (document.heldOut.length > 0) continue;
      const fold = index % FOLDS;
      collected.push(...(await read(document, fold, lexicon, random)));
      if (set === 0 && scanned > 0 && isScanned(document, index, scanned)) {
        for await (const { scan } of scansOf(document, random, ocr.pdftoppm as string)) {
          collected.push(...(await read(scan, fold, lexicon, random, ocr)));
        }
      }
      index += 1;
    }
  }
  return collected;
}

async function read(
  document: SetDocument,
  fold: number,
  lexicon: Lexicon,
  random: Random,
  ocr?: OcrPrograms,
): Promise<Sample[]> {
  const pages = await readDocument(document.pdf, ocr);
  const found: Sample[] = [];
  for (const share of SHARES) {
    const keeps = () => share === 1 || random.chance(share);
    const schema = { ...document.schema, root: thinLabels(document.schema.root, keeps) };
    const proposals = await extractByRules(schema, pages, undefined, thinWords(lexicon, keeps));
    for (const { proposal, isRight } of outcomesOf(document, proposals)) {
      if (proposal) found.push({ features: toFeatures(proposal.evidence), isRight, fold });
    }
  }
  return found;
}

/** Some of the words of each concept. */
function thinWords(lexicon: Lexicon, keeps: () => boolean): Lexicon {
  return Object.fromEntries(
    (Object.keys(lexicon) as Concept[]).map((concept) => {
      const { names, labels } = lexicon[concept];
      const some = Object.entries(labels).map(([language, list]) => [language, list.filter(keeps)]);
      return [concept, { names, labels: Object.fromEntries(some) }];
    }),
  ) as unknown as Lexicon;
}

/** A field with some of its labels, and those in it. */
function thinLabels(field: SchemaField, keeps: () => boolean): SchemaField {
  return {
    ...field,
    labels: field.labels.filter(keeps),
    ...(field.fields ? { fields: field.fields.map((child) => thinLabels(child, keeps)) } : {}),
    ...(field.items ? { items: thinLabels(field.items, keeps) } : {}),
  };
}

/** Fits weights that are not below 0 of what speaks for a value, nor above it of what speaks against it. */
function fitSigned(observations: readonly Observation[]): Weights {
  const left = FEATURES.map(() => true);
  for (;;) {
    const masked = observations.map(({ features, isRight }) => ({
      features: features.map((feature, index) => (left[index] ? feature : 0)),
      isRight,
    }));
    const weights = fitLogistic(masked, RIDGE);
    const wrong = FEATURES.flatMap((name, index) => ((weights[index + 1] ?? 0) * signOf(name) < 0 ? [index] : []));
    if (wrong.length === 0) return weights;
    for (const index of wrong) left[index] = false;
  }
}

/** 1 of what speaks for a value, -1 of what speaks against it, 0 of what may do either. */
function signOf(name: string): number {
  if (/^passed|^margin|^label quality/.test(name)) return 1;
  return /^failed|^ambiguous|^recognition doubt|^rivals/.test(name) ? -1 : 0;
}
