import type { IncomingHttpHeaders } from 'node:http';
import { coerceInputValue, getNamedType, getNullableType, isListType } from 'graphql';
import type { GraphQLInputType } from 'graphql';
import { BadRequest } from '../errors.js';
import type { Upload } from '../graph/upload.js';
import { isJsonObject } from '../platform/json/json-object.js';
import { toRestName } from '../platform/text/rest-name.js';
import type { Binding, Condition, Endpoint } from './endpoint.js';
import { toGraphNames } from './input-names.js';

/** What a request offers to the variables of an operation. */
export interface RequestInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** Of a body that has files. */
  readonly upload?: Upload;
}

/**
 * The variables of an endpoint's operation.
 * @throws BadRequest that names the first field that is missing or mistyped, by its REST name
 */
export function bindVariables(endpoint: Endpoint, input: RequestInput): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  for (const binding of endpoint.bindings) {
    const value = valueOf(binding, input);
    if (value === undefined) {
      if (binding.required) throw new BadRequest(`${binding.name} is required.`, binding.name);
      continue;
    }
    const isWhole = binding.source === 'whole-body' || binding.source === 'files';
    variables[binding.name] = isWhole ? value : checked(binding, value);
  }
  return variables;
}

/** The value of a parameter such as `format` that asks for the operation without a condition. */
const DEFAULT_VALUE = 'json';

/**
 * Picks the operation whose condition the request meets; the one without a condition is the last.
 * @throws BadRequest where a parameter has a value that none of them is for
 */
export function chooseEndpoint(endpoints: readonly Endpoint[], input: RequestInput): Endpoint | undefined {
  const chosen = endpoints.find(({ when }) => !when || matchesCondition(when, input));
  if (!chosen?.when) requireKnownValues(endpoints, input);
  return chosen;
}

function matchesCondition(when: Condition, input: RequestInput): boolean {
  const { fromBody, fromQuery } = valuesOf(when, input);
  if (when.value === undefined) return fromBody === true || (fromBody === undefined && fromQuery === 'true');
  return (fromBody ?? fromQuery) === when.value;
}

function valuesOf({ name }: Condition, { body, query }: RequestInput): { fromBody: unknown; fromQuery: string | null } {
  return { fromBody: isJsonObject(body) ? body[name] : undefined, fromQuery: query.get(name) };
}

function requireKnownValues(endpoints: readonly Endpoint[], input: RequestInput): void {
  for (const { when } of endpoints) {
    if (!when) continue;
    const { fromBody, fromQuery } = valuesOf(when, input);
    if (when.value === undefined) {
      // The fields of a form are texts, which its operation reads.
      if (input.upload || fromBody === undefined || fromBody === null || typeof fromBody === 'boolean') continue;
      throw new BadRequest(`${when.name} must be true or false.`, when.name);
    }
    const asked = fromBody ?? fromQuery ?? DEFAULT_VALUE;
    if (asked === DEFAULT_VALUE) continue;
    const values = endpoints.flatMap((one) => (one.when?.name === when.name ? [one.when.value] : []));
    throw new BadRequest(`${when.name} must be one of ${[DEFAULT_VALUE, ...values].join(', ')}.`, when.name);
  }
}

function valueOf(binding: Binding, input: RequestInput): unknown {
  switch (binding.source) {
    case 'path':
      return input.params[binding.name];
    case 'query':
      return input.query.has(binding.name) ? fromText(input.query.getAll(binding.name), binding) : undefined;
    case 'header':
      return fromHeader(binding, input.headers);
    case 'files':
      return input.upload;
    case 'whole-body':
      return requireObject(input.body);
    case 'body': {
      const body = requireObject(input.body);
      return Object.hasOwn(body, binding.name) ? body[binding.name] : undefined;
    }
  }
}

function checked(binding: Binding, value: unknown): unknown {
  const given = binding.header ?? binding.name;
  // GraphQL would make a list of one value.
  if (isListType(getNullableType(binding.type)) && value !== null && !Array.isArray(value)) {
    throw new BadRequest(`${given} must be a list.`, given);
  }
  const named = toGraphNames(value, binding.type, binding.name);
  coerceInputValue(named, binding.type, (path, _invalid, error) => {
    const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${toRestName(step)}`));
    const field = given + steps.join('');
    throw new BadRequest(`${field}: ${error.message}`, field);
  });
  return named;
}

function fromHeader({ header = '', type }: Binding, headers: IncomingHttpHeaders): unknown {
  const value = headers[header];
  return typeof value === 'string' ? toScalar(value, header, type) : value;
}

const WHOLE = /^-?(0|[1-9]\d*)$/;
const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const NUMBERS: ReadonlyMap<string, RegExp> = new Map([
  ['Float', DECIMAL],
  ['Int', WHOLE],
  ['SafeInt', WHOLE],
]);

/** Query values are text, lists in one value with commas or in several values: numbers and booleans are read as such where the variable wants them. */
function fromText(texts: readonly string[], { name, type }: Binding): unknown {
  const isList = isListType(getNullableType(type));
  const values = (isList ? texts.flatMap((text) => text.split(',')) : texts).map((text) => toScalar(text, name, type));
  if (!isList && values.length > 1) throw new BadRequest(`${name} may be given once only.`, name);
  return isList ? values : values[0];
}

function toScalar(text: string, field: string, type: GraphQLInputType): unknown {
  const { name } = getNamedType(type);
  const pattern = NUMBERS.get(name);
  // What Number() would also read, such as 0x10, 1e1 or an empty text, is more likely a mistake.
  if (pattern && !pattern.test(text))
    throw new BadRequest(`${field} must be a ${name === 'Float' ? '' : 'whole '}number.`, field);
  if (pattern) return Number(text);
  if (name === 'Boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

function requireObject(body: unknown): Record<string, unknown> {
  if (!isJsonObject(body)) throw new BadRequest('The body must be a JSON object.');
  return body;
}
