import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { BadRequest } from '../errors.js';

/** Checks a body against a JSON Schema; throws BadRequest that names the field at fault. */
export type BodyCheck = (body: unknown) => void;

/** One for all: each compiles the schema of schemas first, which takes longer than most of ours. */
const ajv = new Ajv2020({ allowUnionTypes: true, strict: true, logger: false });

/**
 * Compiles the JSON Schema of a pass-through body.
 * An operation checks its own body with it, so that every transport checks the same and the REST engine need not.
 *
 * @param file the `<noun>.schema.json` beside the REST document
 */
export function compileBodySchema(file: string | URL): BodyCheck {
  const schema = JSON.parse(readFileSync(file, 'utf8')) as object;
  const validate = ajv.compile(schema);
  return (body) => {
    if (!validate(body)) throw toBadRequest(validate.errors?.[0]);
  };
}

function toBadRequest(error: ErrorObject | undefined): BadRequest {
  if (!error) return new BadRequest('The body is not valid.');
  const parent = fieldName(error.instancePath);
  if (error.keyword === 'required') {
    const { missingProperty } = error.params as { missingProperty: string };
    const name = parent ? `${parent}.${missingProperty}` : missingProperty;
    return new BadRequest(`${name} is required.`, name);
  }
  return new BadRequest(`${parent || 'The body'} ${problemOf(error)}.`, parent || undefined);
}

/** `/messages/0/content` becomes `messages[0].content`. */
function fieldName(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((name, part) => (/^\d+$/.test(part) ? `${name}[${part}]` : name ? `${name}.${part}` : part), '');
}

function problemOf({ keyword, params, message }: ErrorObject): string {
  const { type, allowedValues } = params as { type?: string | string[]; allowedValues?: unknown[] };
  if (keyword === 'type') return `must be of type ${[type].flat().join(' or ')}`;
  if (keyword === 'enum') return `must be one of ${allowedValues?.map(String).join(', ')}`;
  return message ?? 'is not valid';
}
