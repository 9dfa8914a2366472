import { BadRequest } from '../../errors.js';
import { isJsonObject, memberOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { requireStorable } from '../../platform/json/storable-json.js';
import { readValueRule } from './field-kind.js';
import { requireFieldName } from './field-name.js';
import { SCHEMA_LIMITS } from './schema-limits.js';
import { pointerTo, schemaProblem } from './schema-problem.js';
import { SchemaReferences } from './schema-references.js';
import type { PlacedSchema, ResolvedSchema } from './schema-references.js';
import type { ExtractionSchema, SchemaField } from './schema.types.js';

const DIALECT = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/**
 * Reads a JSON Schema (draft 2020-12) of the kind that documents are read with: objects, arrays of objects and of single
 * values, texts, numbers, integers, booleans, dates, enum and const; each may be null; see `SCHEMA_LIMITS`. That is what
 * pydantic and zod write for such fields. The time that it takes is bounded by the limits, whatever the references.
 * @param value JSON
 * @throws BadRequest, `param` schema, that tells the JSON pointer of what is at fault and what is possible instead
 */
export function parseSchema(value: unknown): ExtractionSchema {
  const schema = requireStorable(value, 'schema');
  const { bytes } = SCHEMA_LIMITS;
  if (Buffer.byteLength(JSON.stringify(schema)) > bytes) {
    throw new BadRequest(`schema is larger than ${bytes} bytes.`, 'schema');
  }
  const dialect = memberOf(schema, '$schema');
  if (dialect !== undefined && !(typeof dialect === 'string' && DIALECT.test(dialect))) {
    throw schemaProblem('/$schema', 'schemas are of "https://json-schema.org/draft/2020-12/schema".');
  }
  const definitions = memberOf(schema, '$defs');
  if (definitions !== undefined && !isJsonObject(definitions)) {
    throw schemaProblem('/$defs', 'this is an object: schemas by name.');
  }
  return new SchemaParser(schema).parse();
}

/** A schema on its way to a field. */
interface Place extends PlacedSchema {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isItem: boolean;
  /** How many names lead to it. */
  readonly depth: number;
}

class SchemaParser {
  private fieldCount = 0;
  private length = 0;
  private readonly references: SchemaReferences;

  constructor(private readonly root: JsonObject) {
    this.references = new SchemaReferences(root);
  }

  parse(): ExtractionSchema {
    const place = { schema: this.root, pointer: '', definitions: new Set<string>(), name: '', depth: 0 };
    const root = this.readField({ ...place, isRequired: true, isItem: false });
    if (root.kind !== 'object' || root.isNullable) throw schemaProblem('', 'the whole schema is that of an "object".');
    return Object.freeze({ root, fieldCount: this.fieldCount });
  }

  /** Goes down at most a field for each name of the longest path, and an array beside each. */
  private readField(place: Place): SchemaField {
    const { name, isRequired } = place;
    const resolved = this.references.resolve(place);
    const { hints, pointer } = resolved;
    const { kind, isNullable, options } = readValueRule(resolved.schema, pointer);
    const { labels, description } = hints;
    this.countLength([name, ...labels, description ?? '', ...(options ?? []).map(String)], pointer);
    const field = {
      name,
      kind,
      isRequired,
      isNullable: isNullable || resolved.isNullable,
      labels: Object.freeze(labels),
      ...(description !== undefined && { description }),
      ...(options && { options }),
    };
    if (kind === 'object')
      return Object.freeze({ ...field, fields: Object.freeze(this.readFields(resolved, place.depth)) });
    if (kind !== 'array') return Object.freeze(field);
    if (place.isItem) throw schemaProblem(pointer, 'an "array" holds objects or single values, and no other arrays.');
    return Object.freeze({ ...field, items: this.readItems(resolved, place.depth) });
  }

  private readFields({ schema, pointer, definitions }: ResolvedSchema, depth: number): SchemaField[] {
    const additional = memberOf(schema, 'additionalProperties');
    if (additional !== undefined && typeof additional !== 'boolean') {
      throw schemaProblem(pointerTo(pointer, 'additionalProperties'), 'this is true or false; fields have names.');
    }
    const place = pointerTo(pointer, 'properties');
    const properties = memberOf(schema, 'properties');
    if (!isJsonObject(properties) || Object.keys(properties).length === 0) {
      throw schemaProblem(place, 'an "object" has "properties", one at least.');
    }
    if (depth === SCHEMA_LIMITS.depth) {
      throw schemaProblem(place, `a field lies at most ${SCHEMA_LIMITS.depth} names deep.`);
    }
    const required = readRequired(schema, pointer, properties);
    return Object.entries(properties).map(([name, property]) => {
      const at = pointerTo(place, name);
      requireFieldName(name, at);
      this.fieldCount += 1;
      if (this.fieldCount > SCHEMA_LIMITS.fields) {
        throw schemaProblem(
          at,
          `a schema has at most ${SCHEMA_LIMITS.fields} fields, each "$ref" counted with what it brings in.`,
        );
      }
      const isRequired = required.has(name);
      return this.readField({
        name,
        schema: property,
        pointer: at,
        definitions,
        isRequired,
        isItem: false,
        depth: depth + 1,
      });
    });
  }

  private readItems({ schema, pointer, definitions }: ResolvedSchema, depth: number): SchemaField {
    const place = pointerTo(pointer, 'items');
    const items = memberOf(schema, 'items');
    if (items === undefined) throw schemaProblem(place, 'an "array" has "items": the schema of all that it holds.');
    return this.readField({
      name: '',
      schema: items,
      pointer: place,
      definitions,
      isRequired: true,
      isItem: true,
      depth,
    });
  }

  private countLength(texts: readonly string[], pointer: string): void {
    const { expandedLength } = SCHEMA_LIMITS;
    for (const text of texts) this.length += text.length;
    if (this.length <= expandedLength) return;
    const problem = `names, labels, descriptions and enums of all fields have at most ${expandedLength} characters, `;
    throw schemaProblem(pointer, `${problem}each "$ref" counted with what it brings in.`);
  }
}

/** The names that an object must have. */
function readRequired(schema: JsonObject, pointer: string, properties: JsonObject): ReadonlySet<string> {
  const place = pointerTo(pointer, 'required');
  const list = memberOf(schema, 'required') ?? [];
  if (!Array.isArray(list)) throw schemaProblem(place, 'this is a list of names.');
  const names = new Set<string>();
  for (const [index, name] of list.entries()) {
    if (typeof name !== 'string' || names.has(name) || !Object.hasOwn(properties, name)) {
      throw schemaProblem(pointerTo(place, index), 'this is the name of one of the "properties", each at most once.');
    }
    names.add(name);
  }
  return names;
}
