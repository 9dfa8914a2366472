import { existsSync, readFileSync } from 'node:fs';
import type { Endpoint } from '../endpoint.js';
import type { Json } from './openapi-portable.js';

/** What may lie beside a document, by the end of its name without `.json`. */
export type FileKind = 'answer.schema' | 'event.schema' | 'examples' | 'schema';

/**
 * Reads a file that lies beside an endpoint's document: the schema of a pass-through body (`schema`), of its answer
 * (`answer.schema`) or of an event of its stream (`event.schema`), or `examples`, by operation name.
 */
export function readSidecar({ file }: Endpoint, kind: FileKind): Json | undefined {
  const path = `${file}.${kind}.json`;
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Json) : undefined;
}
