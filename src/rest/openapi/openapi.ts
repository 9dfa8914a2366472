import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import { parse } from 'yaml';
import { isJsonObject } from '../../platform/json/json-object.js';
import type { Endpoint } from '../endpoint.js';
import { errorResponses } from './openapi-errors.js';
import { OperationWriter } from './openapi-operation.js';
import { SchemaWriter } from './openapi-schemas.js';
import type { Json } from './openapi-portable.js';

/** An OpenAPI 3.1 description. */
export interface OpenapiDocument {
  readonly openapi: string;
  readonly info: Json;
  readonly tags: readonly Json[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>;
}

/** What no document says. */
interface OpenapiBase extends OpenapiDocument {
  readonly tags: readonly Tag[];
}

/** An area of the API, and how the paths begin that belong to it. */
interface Tag extends Json {
  readonly name: string;
  readonly paths: readonly string[];
}

/**
 * Describes the served endpoints, from their documents, the graph and the files beside the documents.
 *
 * @param folder `schema/rest`; its `base.openapi.yaml` has what no document says: the title, the security schemes, the
 * headers, and the routes outside the engine
 * @throws Error where a schema is missing, or a path belongs to no tag
 */
export function describeApi(folder: string, endpoints: readonly Endpoint[], graph: GraphQLSchema): OpenapiDocument {
  const base = parse(readFileSync(join(folder, 'base.openapi.yaml'), 'utf8')) as OpenapiBase;
  const schemas = new SchemaWriter();
  const paths: Record<string, Record<string, Json>> = {};
  for (const group of Map.groupBy(endpoints, ({ method, path }) => `${method} ${path}`).values()) {
    const [first] = group as [Endpoint];
    const methods = (paths[first.path] ??= {});
    methods[first.method.toLowerCase()] = operationOf(group, graph, schemas, base.tags);
  }
  const all = { ...sorted(paths), ...base.paths };
  return {
    ...base,
    tags: base.tags.filter(({ name }) => isTagOf(all, name)).map(({ paths: _paths, ...tag }) => tag),
    paths: all,
    components: {
      ...base.components,
      responses: usedIn(all, { ...base.components.responses, ...errorResponses() }),
      schemas: sorted({ ...base.components.schemas, ...schemas.components }),
    },
  };
}

/** The operations of one path and method are one: a stream is another media type of its answer. */
function operationOf(
  group: readonly Endpoint[],
  graph: GraphQLSchema,
  schemas: SchemaWriter,
  tags: readonly Tag[],
): Json {
  const plainFirst = group.toSorted((a, b) => Number(Boolean(a.when)) - Number(Boolean(b.when)));
  const parts = plainFirst.map((endpoint) => new OperationWriter(endpoint, graph, schemas));
  const [main] = parts as [OperationWriter];
  const isPlain = plainFirst.some(({ when }) => !when);
  const switches = isPlain ? plainFirst.flatMap(({ when }) => (when?.name === 'stream' ? [when.name] : [])) : [];
  const requestBody = parts.map((part) => part.requestBody(switches)).reduce(merged);
  const answers = parts.map((part) => part.answer());
  const description = answers.map((answer) => String(answer.description)).join('. ');
  const answer = { ...answers.reduce(merged), description };
  return {
    ...main.head(tagOf(tags, plainFirst[0]?.path ?? '')),
    parameters: parametersOf(parts),
    ...(requestBody && { requestBody }),
    responses: { [String(plainFirst[0]?.status)]: answer, ...main.errors() },
  };
}

/** Of all operations of a path and method; what some of them lack is not required. */
function parametersOf(parts: readonly OperationWriter[]): readonly Json[] {
  const lists = parts.map((part) => part.parameters());
  const known = new Map(lists.flat().map((parameter) => [JSON.stringify([parameter.name, parameter.$ref]), parameter]));
  return [...known].map(([key, parameter]) => {
    const isInAll = lists.every((list) => list.some(({ name, $ref }) => JSON.stringify([name, $ref]) === key));
    return isInAll || !parameter.required ? parameter : { ...parameter, required: false };
  });
}

function tagOf(tags: readonly Tag[], path: string): string {
  const tag = tags.find(({ paths }) => paths.some((begin) => `${path}/`.startsWith(`${begin}/`)));
  if (!tag) throw new Error(`The path ${path} belongs to no tag of base.openapi.yaml.`);
  return tag.name;
}

function isTagOf(paths: OpenapiDocument['paths'], tag: string): boolean {
  return Object.values(paths).some((methods) =>
    Object.values(methods).some(({ tags }) => (tags as readonly string[]).includes(tag)),
  );
}

/** Two objects as one, with what is in both merged in turn. */
function merged<Value>(one: Value, other: Value): Value {
  if (!isJsonObject(one) || !isJsonObject(other)) return one;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const entries = names.map((name) => [name, name in one ? merged(one[name], other[name]) : other[name]]);
  return Object.fromEntries(entries) as Value;
}

function usedIn(paths: object, responses: Readonly<Record<string, Json>>): Record<string, Json> {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(responses).filter(([name]) => text.includes(`"#/components/responses/${name}"`)),
  );
}

function sorted<Value>(values: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
