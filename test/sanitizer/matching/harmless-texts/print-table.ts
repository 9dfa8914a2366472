/**
 * Prints the table of docs/sanitizer-matching.md.
 *
 *   npx tsx test/sanitizer/matching/harmless-texts/print-table.ts [--verbose]
 *
 * `--verbose` lists what was found, too.
 */
import { countMatched } from './count-matched.js';

const SEED = 14;

const rows = countMatched(SEED);
const total = rows.reduce((sum, { texts }) => sum + texts, 0);
const matched = rows.reduce((sum, row) => sum + row.matched.length, 0);
console.log('| what they are | texts | matched |\n| --- | --- | --- |');
for (const row of rows) console.log(`| ${row.sort} | ${row.texts} | ${row.matched.length} |`);
console.log(`| all | ${total} | ${matched} (${((matched / total) * 100).toFixed(2)} %) |`);
if (process.argv.includes('--verbose')) for (const row of rows) for (const text of row.matched) console.log(text);
