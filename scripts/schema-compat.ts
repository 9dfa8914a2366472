/**
 * Compares `schema/platform.graphql` and `schema/openapi.json` with the released ones (`schema/released`) and fails
 * where a change breaks clients and `schema/released/accepted.json` does not give a reason for it. With `--release`
 * the present ones become the released ones, and nothing is accepted any more.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { judge } from './compat/accepted-changes.js';
import { breakingGraphqlChanges } from './compat/graphql-compat.js';
import { breakingOpenapiChanges } from './compat/openapi-compat.js';
import type { Description } from './compat/openapi-compat.js';

const present = fileURLToPath(new URL('../schema', import.meta.url));
const released = join(present, 'released');

if (process.argv.includes('--release')) release();
else await compare();

function release(): void {
  for (const file of ['platform.graphql', 'openapi.json']) copyFileSync(join(present, file), join(released, file));
  writeFileSync(join(released, 'accepted.json'), '{}\n');
}

async function compare(): Promise<void> {
  const [graphqlBefore, graphqlAfter] = both('platform.graphql') as [string, string];
  const [restBefore, restAfter] = both('openapi.json').map((text) => JSON.parse(text) as Description) as [
    Description,
    Description,
  ];
  const changes = [
    ...(await breakingGraphqlChanges(graphqlBefore, graphqlAfter)).map((change) => `graphql: ${change}`),
    ...breakingOpenapiChanges(restBefore, restAfter).map((change) => `openapi: ${change}`),
  ];
  const accepted = JSON.parse(readFileSync(join(released, 'accepted.json'), 'utf8')) as Record<string, unknown>;
  const { unaccepted, unneeded } = judge(changes, accepted);
  tell('These changes break clients of the released schemas', unaccepted);
  tell('These accepted changes are none (any more); take them out of schema/released/accepted.json', unneeded);
  if (unaccepted.length > 0) {
    console.error('Change them, or add each line with its reason to schema/released/accepted.json.');
  }
}

/** The released file and the present one. */
function both(file: string): string[] {
  return [released, present].map((folder) => readFileSync(join(folder, file), 'utf8'));
}

function tell(title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  console.error(`${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`);
  process.exitCode = 1;
}
