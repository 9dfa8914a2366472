/**
 * Generates a client of a description with each generator.
 *
 * Arguments: the path of the description, the folder that gets `openapi-fetch/`, `hey-api/` and `orval/`, and the
 * address of the server.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { generate } from 'orval';

const [description = '', folder = '', baseUrl = ''] = process.argv.slice(2);

mkdirSync(join(folder, 'openapi-fetch'), { recursive: true });
const types = await openapiTypescript(pathToFileURL(description));
writeFileSync(join(folder, 'openapi-fetch/schema.ts'), astToString(types));

await createClient({
  input: description,
  output: { path: join(folder, 'hey-api'), module: { extension: '.js' } },
  logs: { level: 'error', file: false },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
});

await generate({
  input: { target: description, override: { transformer: withFormsAlone as never } },
  output: { target: join(folder, 'orval/api.ts'), client: 'fetch', mode: 'single', baseUrl },
});

/** orval gives bodies that may be a form or bytes a type that `fetch` does not take: it gets the forms alone. */
function withFormsAlone<D extends { readonly paths: Record<string, Record<string, Operation>> }>(document: D): D {
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    const content = operation.requestBody?.content;
    const form = content?.['multipart/form-data'];
    if (operation.requestBody && form) operation.requestBody.content = { 'multipart/form-data': form };
  }
  return document;
}

interface Operation {
  readonly requestBody?: { content: Record<string, unknown> };
}
