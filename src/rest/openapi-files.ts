import { existsSync, readFileSync } from 'node:fs';
import type { Endpoint } from './endpoint.js';
import type { Json } from './openapi-schemas.js';

/**
 * Reads a file that lies beside an endpoint's document: the schema of a pass-through body (`schema`) or of its answer
 * (`answer.schema`), or `examples`, by operation name.
 */
export function readBesides({ file }: Endpoint, kind: 'answer.schema' | 'examples' | 'schema'): Json | undefined {
  const path = `${file}.${kind}.json`;
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Json) : undefined;
}
