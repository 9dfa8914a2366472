/**
 * Writes `schema/platform.graphql`, `schema/subgraphs/*.graphql`, `schema/openapi.json`, `.env.example` and the paths of
 * each domain (`schema/nginx-domains.map` and the table of `docs/operations.md`) from the code, or with `--check` fails
 * where they are not what the code says.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { createApp } from '../src/app.js';
import { configShapes, readConfig } from '../src/config.js';
import { buildGraph } from '../src/graph/graph.js';
import { formatEnvExample } from '../src/platform/config/env-example.js';
import { routeByDomain, toNginxMap, toTable } from './domain-paths.js';

const schemaFolder = fileURLToPath(new URL('../schema', import.meta.url));
const check = process.argv.includes('--check');
const dataDir = mkdtempSync(join(tmpdir(), 'emit-schema-'));
const app = await createApp(readConfig({ DATA_DIR: dataDir, SHUTDOWN_SECONDS: '1' }), pino({ level: 'silent' }));
const stale: string[] = [];
try {
  emit('../.env.example', formatEnvExample(configShapes));
  emit('platform.graphql', app.graph.clientSdl);
  emit('openapi.json', `${JSON.stringify(app.openapi(), null, 2)}\n`);
  const rules = routeByDomain([...app.endpoints, ...app.otherPaths]);
  emit('nginx-domains.map', toNginxMap(rules));
  const names = app.domains.map(({ name }) => name);
  emit('../docs/operations.md', withTable(readOrEmpty('../docs/operations.md'), toTable(names, rules)));
  for (const domain of app.domains) {
    const { sdl } = await buildGraph([domain], app.domains);
    emit(`subgraphs/${domain.name}.graphql`, sdl);
  }
} finally {
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
}
if (stale.length > 0) {
  console.error(`Not what the code says: ${stale.join(', ')}. Run \`npm run schema\`.`);
  process.exitCode = 1;
}

function emit(file: string, text: string): void {
  const path = join(schemaFolder, file);
  if (!check) writeFileSync(path, text);
  else if (readOrEmpty(file) !== text) stale.push(file);
}

/** The page with another table in its marked place. */
function withTable(page: string, table: string): string {
  const place = /(<!-- paths by domain[^\n]*-->\n)[^]*?(<!-- end -->)/;
  if (!place.test(page)) throw new Error('docs/operations.md has no place for the paths by domain.');
  return page.replace(place, (_all, start: string, end: string) => `${start}${table}\n${end}`);
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(join(schemaFolder, file), 'utf8');
  } catch {
    return '';
  }
}
