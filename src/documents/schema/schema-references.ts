import { isJsonObject, memberOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { Hints } from './hints.js';
import { SCHEMA_LIMITS } from './schema-limits.js';
import { requireKeywords } from './schema-keywords.js';
import { pointerTo, schemaProblem } from './schema-problem.js';

/** A schema, and where it stands. */
export interface PlacedSchema {
  readonly schema: unknown;
  /** A JSON pointer. */
  readonly pointer: string;
  /** The definitions that it is a part of: names in `$defs`. */
  readonly definitions: ReadonlySet<string>;
}

/** The schema that a field has in the end, behind references and beside null. */
export interface ResolvedSchema extends PlacedSchema {
  readonly schema: JsonObject;
  /** Whether null may stand in its place. */
  readonly isNullable: boolean;
  /** Those of the schemas on the way included. */
  readonly hints: Hints;
}

const DEFINITION = /^#\/\$defs\/([^/]+)$/;

/** Follows the references of one schema, none of which may lead back into itself. */
export class SchemaReferences {
  private steps = 0;

  constructor(private readonly root: JsonObject) {}

  /**
   * Goes through `$ref` and `anyOf` with null until there is a schema with a type. It ends, since the steps
   * of all fields are counted, and nobody waits for it, since they are few.
   * @throws BadRequest
   */
  resolve(placed: PlacedSchema): ResolvedSchema {
    const definitions = new Set(placed.definitions);
    const hints = new Hints();
    let isNullable = false;
    let { schema, pointer } = placed;
    for (;;) {
      if (!isJsonObject(schema)) throw schemaProblem(pointer, 'a schema is an object.');
      hints.add(schema, pointer);
      this.steps += 1;
      if (this.steps > SCHEMA_LIMITS.steps) {
        throw schemaProblem(pointer, `"$ref" and "anyOf" lead to at most ${SCHEMA_LIMITS.steps} schemas in all.`);
      }
      if (Object.hasOwn(schema, '$ref')) {
        requireKeywords(schema, pointer, '$ref');
        ({ schema, pointer } = this.enterDefinition(schema['$ref'], pointerTo(pointer, '$ref'), definitions));
      } else if (Object.hasOwn(schema, 'anyOf')) {
        requireKeywords(schema, pointer, 'anyOf');
        ({ schema, pointer } = besideNull(schema['anyOf'], pointerTo(pointer, 'anyOf')));
        isNullable = true;
      } else return { schema, pointer, definitions, isNullable, hints };
    }
  }

  private enterDefinition(
    reference: unknown,
    pointer: string,
    definitions: Set<string>,
  ): Pick<PlacedSchema, 'schema' | 'pointer'> {
    const name = definitionName(reference, pointer);
    const all = memberOf(this.root, '$defs');
    const schema = isJsonObject(all) ? memberOf(all, name) : undefined;
    if (schema === undefined) throw schemaProblem(pointer, 'there is no such definition in "$defs" of the root.');
    if (definitions.has(name)) throw schemaProblem(pointer, 'a definition does not lead back to itself.');
    definitions.add(name);
    return { schema, pointer: pointerTo('', '$defs', name) };
  }
}

function definitionName(reference: unknown, pointer: string): string {
  const token = typeof reference === 'string' ? DEFINITION.exec(reference)?.[1] : undefined;
  try {
    if (token !== undefined) return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    // A broken escape.
  }
  throw schemaProblem(pointer, 'a reference has the form "#/$defs/name", and leads to "$defs" of the root.');
}

/** The one of two schemas that is not null. */
function besideNull(choices: unknown, pointer: string): Pick<PlacedSchema, 'schema' | 'pointer'> {
  const list: readonly unknown[] = Array.isArray(choices) ? choices : [];
  const index = list.findIndex((choice) => !isNull(choice));
  if (list.length !== 2 || index < 0 || !isNull(list[1 - index])) {
    throw schemaProblem(pointer, '"anyOf" has two members: one schema, and {"type": "null"}.');
  }
  return { schema: list[index], pointer: pointerTo(pointer, index) };
}

function isNull(schema: unknown): boolean {
  return isJsonObject(schema) && Object.keys(schema).length === 1 && memberOf(schema, 'type') === 'null';
}
