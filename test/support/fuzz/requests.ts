import fc from 'fast-check';
import type { Operation } from '../probes/api-description.js';
import type { AnyJson } from '../probes/any-json.js';

/** A request that is made of an operation, as it goes over the wire. */
export interface FuzzRequest {
  readonly operation: Operation;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A valid credential for an operation; undefined where it needs none. */
export type CredentialOf = (operation: Operation) => string | undefined;

const ASCII = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
});
const TEXTS = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '../..',
    '%00',
    '__proto__',
    'constructor',
    '﷽'.repeat(200),
    'x'.repeat(5_000),
    '0',
    '-1',
    'null',
    'true',
    "' OR 1=1 --",
  ),
);
const NUMBERS = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, -1, 1, 101, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e308, 5e-324, 0.1),
);
const VALUES: fc.Arbitrary<AnyJson> = fc.oneof(
  TEXTS,
  NUMBERS,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Requests of every operation: valid, broken, at the boundaries, and random. */
export function fuzzRequests(operations: readonly Operation[], credentialOf: CredentialOf): fc.Arbitrary<FuzzRequest> {
  return fc.constantFrom(...operations).chain((operation) =>
    fc
      .record({
        path: pathOf(operation),
        query: queryOf(operation),
        headers: headersOf(credentialOf(operation)),
        body: bodyOf(operation),
      })
      .map(({ path, query, headers, body }) =>
        printable({
          operation,
          path: query === '' ? path : `${path}?${query}`,
          headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
          body,
        }),
      ),
  );
}

/** A report shows what is sent, not the whole operation. */
function printable(request: FuzzRequest): FuzzRequest {
  const { operation, path, headers, body } = request;
  const text = () => `${operation.id}: ${operation.method} ${path} ${fc.stringify(headers)} ${fc.stringify(body)}`;
  return Object.defineProperty(request, fc.toStringMethod, { value: text });
}

function pathOf({ path, parameters }: Operation): fc.Arbitrary<string> {
  const segments = path.split('/').map((segment) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    const example = parameters.find((parameter) => parameter.name === name)?.example as unknown;
    return name === undefined ? fc.constant(segment) : segmentOf(String(example));
  });
  return fc.tuple(...segments).map((parts) => parts.join('/'));
}

function segmentOf(example: string): fc.Arbitrary<string> {
  const prefix = example.split('_')[0] ?? '';
  const id = fc.string({ unit: fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz'), minLength: 26, maxLength: 26 });
  return fc.oneof(
    fc.constant(encodeURIComponent(example)),
    id.map((suffix) => `${prefix}_${suffix}`),
    TEXTS.map((text) => encodeURIComponent(text.toWellFormed())),
    fc.constantFrom('%E0%A4%A', '%', '..', '.'),
  );
}

function queryOf({ parameters }: Operation): fc.Arbitrary<string> {
  const pairs = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema, example }) => {
      const values = fc.oneof(fc.constant(example), valueOf(schema), TEXTS);
      return fc.option(values, { nil: undefined }).map((value) => (value === undefined ? [] : [[name, value]]));
    });
  const unknown = fc.option(fc.tuple(ASCII, TEXTS), { nil: undefined, freq: 8 }).map((pair) => (pair ? [pair] : []));
  return fc.tuple(...pairs, unknown).map((entries) =>
    entries
      .flat()
      .map(([name, value]) => `${quoted(name)}=${quoted(value)}`)
      .join('&'),
  );
}

function quoted(value: unknown): string {
  return encodeURIComponent((typeof value === 'string' ? value : String(JSON.stringify(value))).toWellFormed());
}

function headersOf(credential: string | undefined): fc.Arbitrary<Record<string, string>> {
  const valid = fc.constant(credential === undefined ? undefined : `Bearer ${credential}`);
  const authorization = fc.oneof(
    { weight: 12, arbitrary: valid },
    fc.constantFrom(
      undefined,
      'Bearer',
      'Bearer  x',
      'Basic YTpi',
      'Bearer svc_tok_x.y',
      'Bearer key_x.y',
      'Bearer a.b.c',
    ),
    ASCII,
  );
  const seldom = (...values: string[]) =>
    fc.option(fc.oneof(fc.constantFrom(...values), ASCII), { nil: undefined, freq: 12 });
  return fc
    .record({
      authorization,
      'content-type': seldom(
        'text/plain',
        'application/json; charset=utf-8',
        'application/json;charset=latin1',
        'multipart/form-data; boundary=x',
      ),
      'content-encoding': seldom('gzip', 'identity', 'br'),
      accept: seldom('*/*', 'text/event-stream', 'application/json', 'text/html'),
      'x-request-id': seldom('a.b-c_1', 'x'.repeat(129)),
      traceparent: seldom('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'),
    })
    .map(
      (headers) =>
        Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Record<
          string,
          string
        >,
    );
}

function bodyOf({ method, body }: Operation): fc.Arbitrary<string | Uint8Array | undefined> {
  if (method === 'GET') return fc.constant(undefined);
  const broken = fc.oneof(
    fc.constantFrom(
      '',
      '{',
      '{"a":',
      '[]',
      'null',
      '"text"',
      '1e999',
      '\ufeff{}',
      '{"a":1,"a":2}',
      '['.repeat(500),
      `{"a":"${'x'.repeat(70_000)}"}`,
    ),
    TEXTS,
    fc.json(),
    fc.uint8Array({ maxLength: 40 }),
  );
  if (!body) return fc.option(broken, { nil: undefined, freq: 2 });
  const examples = Object.values(body.examples).map(({ value }) => value as AnyJson);
  const mutations = fc.array(fc.tuple(fc.nat(), fc.option(VALUES, { nil: undefined, freq: 4 })), { maxLength: 3 });
  const mutated = fc
    .tuple(fc.constantFrom(...examples), mutations)
    .map(([example, changes]) => mutate(example, changes));
  return fc.oneof(
    { weight: 4, arbitrary: mutated.map((value) => JSON.stringify(value)) },
    { weight: 4, arbitrary: valueOf(body.schema).map((value) => JSON.stringify(value) ?? '') },
    { weight: 2, arbitrary: broken },
  );
}

/** Replaces values anywhere in an example; an undefined one is left out. */
function mutate(example: AnyJson, changes: readonly (readonly [number, AnyJson])[]): AnyJson {
  const root = { example: structuredClone(example) };
  for (const [place, value] of changes) {
    const places = placesOf(root);
    const [parent, key] = places[place % places.length] ?? [root, 'example'];
    parent[key] = value;
  }
  return root.example;
}

function placesOf(value: AnyJson): [AnyJson, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) => [[value, key] as [AnyJson, string], ...placesOf(value[key])]);
}

/** Values that fit a schema more or less. */
function valueOf(schema: AnyJson): fc.Arbitrary<AnyJson> {
  const fitting = fittingValue(schema ?? {});
  return fc.oneof({ weight: 5, arbitrary: fitting }, VALUES);
}

function fittingValue(schema: AnyJson): fc.Arbitrary<AnyJson> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map(fittingValue));
  switch ([schema.type].flat()[0]) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.oneof(
        fc.constantFrom(
          schema.minimum ?? 0,
          schema.maximum ?? 100,
          (schema.minimum ?? 0) - 1,
          (schema.maximum ?? 100) + 1,
        ),
        NUMBERS,
      );
    case 'string':
      return fc.oneof(TEXTS, fc.constantFrom('a@b.example', 'builtin-extractive', 'free', 'models:read'));
    case 'array':
      return fc.array(valueOf(schema.items), { maxLength: 4 });
    case 'object': {
      const properties = Object.entries<AnyJson>(schema.properties ?? {}).map(([name, property]) => [
        name,
        valueOf(property),
      ]);
      return fc.record(Object.fromEntries(properties), { requiredKeys: [] });
    }
    default:
      return VALUES;
  }
}
