/**
 * Writes `schema/platform.graphql`, `schema/subgraphs/*.graphql`, `schema/openapi.json` and `.env.example` from the code,
 * or with `--check` fails where they are not what the code says.
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

const schemaFolder = fileURLToPath(new URL('../schema', import.meta.url));
const check = process.argv.includes('--check');
const dataDir = mkdtempSync(join(tmpdir(), 'emit-schema-'));
const app = await createApp(readConfig({ DATA_DIR: dataDir, SHUTDOWN_SECONDS: '1' }), pino({ level: 'silent' }));
const stale: string[] = [];
try {
  emit('../.env.example', formatEnvExample(configShapes));
  emit('platform.graphql', app.graph.clientSdl);
  emit('openapi.json', `${JSON.stringify(app.openapi(), null, 2)}\n`);
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
  else if (readOrEmpty(path) !== text) stale.push(file);
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
