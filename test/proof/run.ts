/**
 * The proofs: what the server promises in the long run, tried on real processes; and the test files that take long, kill
 * processes, or measure time or memory (`*.proof.test.ts`).
 *
 *   npm run proof -- NAME [--minutes 20] [--seed N] [--report FILE]
 *
 * The report, as Markdown, goes to standard output, and into FILE. Test files take no options.
 */
import { spawnSync } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, TestBed } from '../crash/test-bed.js';
import type { Proof } from './proof.js';
import { auditChain } from './audit/audit-chain.js';
import { documentExtraction } from './document-extraction/document-extraction.js';
import { knowledgeAccess } from './knowledge-access/knowledge-access.js';
import { knowledgeRetrieval } from './knowledge-retrieval/knowledge-retrieval.js';
import { longRecording } from './long-recording/long-recording.js';
import { neighbours } from './neighbours/neighbours.js';
import { researchCorpus } from './research-corpus/research-corpus.js';
import { revocation } from './revocation/revocation.js';
import { sanitizerMatching } from './sanitizer-matching/sanitizer-matching.js';
import { sanitizerStreams } from './sanitizer-streams/sanitizer-streams.js';
import { speechDetection } from './speech-detection/speech-detection.js';
import { translationDetection } from './translation-detection/translation-detection.js';
import { translationQuality } from './translation-quality/translation-quality.js';
import { wordErrorTable } from './word-errors/word-errors.js';
import { speakers } from './speakers/speakers.js';
import { soak } from './soak/soak.js';

const PROOFS: readonly Proof[] = [
  soak,
  revocation,
  neighbours,
  auditChain,
  sanitizerMatching,
  sanitizerStreams,
  knowledgeAccess,
  knowledgeRetrieval,
  researchCorpus,
  documentExtraction,
  speechDetection,
  speakers,
  wordErrorTable,
  longRecording,
  translationDetection,
  translationQuality,
];

const TEST_FILES = globSync('test/**/*.proof.test.ts', { exclude: ['**/node_modules/**'] }).sort();

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    report: { type: 'string' },
  },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
const proof = PROOFS.find(({ name }) => name === positionals[0]);
const testFile = TEST_FILES.find((file) => nameOf(file) === positionals[0]);
if (!proof && testFile !== undefined) process.exit(runTestFile(testFile));
if (!proof) fail(`Which proof?\n${lines().join('\n')}`);
if (!(minutes > 0) || !Number.isInteger(seed)) fail('--minutes is a number over 0, --seed a whole one.');

const bed = await TestBed.start(proof.name);
console.error(`${proof.name}: seed ${seed}, ${minutes} minutes, logs in ${bed.folder}`);
let isProven = false;
try {
  const { report, problems } = await proof.run(bed, { minutes, seed });
  const text = `${report}\n${problems.length === 0 ? 'All of it held.' : problems.map((text) => `- ${text}`).join('\n')}\n`;
  console.log(text);
  if (values.report !== undefined) writeFileSync(values.report, text);
  isProven = problems.length === 0;
} finally {
  await bed.close(!isProven);
}
if (!isProven) fail(`It does not hold. Logs are in ${bed.folder}.`);

function nameOf(testFile: string): string {
  return basename(testFile, '.proof.test.ts');
}

/** What can be run, a line each. */
function lines(): readonly string[] {
  return [
    ...PROOFS.map(({ name, about }) => `  npm run proof -- ${name}: ${about}`),
    ...TEST_FILES.map((file) => `  npm run proof -- ${nameOf(file)}: ${file}`),
  ];
}

/** @returns the exit code */
function runTestFile(file: string): number {
  const jest = ['node_modules/jest/bin/jest.js', '--config', 'jest.proof.config.js', '--runInBand', file];
  const options = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  return spawnSync(process.execPath, [...options, ...jest], { stdio: 'inherit' }).status ?? 1;
}
