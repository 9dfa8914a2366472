import { STATUS_CODES } from 'node:http';
import {
  getNamedType,
  getNullableType,
  GraphQLNonNull,
  isInputObjectType,
  isListType,
  isObjectType,
  Kind,
} from 'graphql';
import type {
  FieldNode,
  GraphQLArgument,
  GraphQLField,
  GraphQLInputField,
  GraphQLOutputType,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import { isFileStream, isRepeatable } from '../endpoint.js';
import type { Binding, Endpoint, FileParts, StreamFraming } from '../endpoint.js';
import { errorsOf, headerReferences } from './openapi-errors.js';
import { readSidecar } from './openapi-files.js';
import { fileContent } from './file-content.js';
import type { FileKind } from './openapi-files.js';
import { describeDefault } from './openapi-portable.js';
import type { Json } from './openapi-portable.js';
import { STREAM_TYPES } from '../send-stream.js';
import { defaultOf, described } from './openapi-schemas.js';
import type { SchemaWriter } from './openapi-schemas.js';

const CREDENTIALS = { bearer: 'bearerToken', jwt: 'accessToken', service: 'serviceKey' } as const;
/** Where the parameters of the documentation come from; the body is described by itself. */
const PARAMETERS: ReadonlySet<Binding['source']> = new Set(['path', 'query', 'header']);
const RATE_HEADERS = ['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'];

/** What a stream looks like, by its framing. */
const STREAMS: Readonly<Record<StreamFraming, string>> = {
  CHAT: [
    'With `stream: true`, Server-Sent Events: a line `data:` with the JSON of each chunk and a blank line, and',
    '`data: [DONE]` at the end of a whole answer. What goes wrong after the first byte is one line `data:` with the',
    'JSON of an `ErrorResponse`, after which the stream ends without `data: [DONE]`. A line that begins with a colon',
    'shows only that the stream lives.',
  ].join(' '),
  NAMED: [
    'With `stream: true`, Server-Sent Events: a line `event:` with the name of each event, a line `data:` with its',
    'JSON, and a blank line. A whole answer ends with `response.completed`, `response.incomplete` or',
    '`response.failed`; `data: [DONE]` may follow. What goes wrong after the first byte is one event `error` with the',
    'JSON of an `ErrorResponse`, after which the stream ends. A line that begins with a colon shows only that the',
    'stream lives.',
  ].join(' '),
  REPLAYABLE: [
    'Server-Sent Events: a line `event:` with the name of each event, a line `id:` with its number, a line `data:` with',
    'its JSON, and a blank line. The stream ends when there will be no more events. What goes wrong after the first byte',
    'is one event `error` without an id and with the JSON of an `ErrorResponse`, after which the stream ends. A line that',
    'begins with a colon shows only that the stream lives.',
  ].join(' '),
  CSV: 'As `text/csv`, a line an entry below a line with the names. A file that was not sent to its end has no end.',
  NDJSON: 'As `application/x-ndjson`, the JSON of an entry a line. A file that was not sent to its end has no end.',
};

const SWITCHED = 'Whether the answer is a stream of events.';

/** Writes one REST document as a part of an OpenAPI operation. */
export class OperationWriter {
  private readonly operation: OperationDefinitionNode;
  private readonly root: FieldNode;
  private readonly field: GraphQLField<unknown, unknown>;

  constructor(
    private readonly endpoint: Endpoint,
    graph: GraphQLSchema,
    private readonly schemas: SchemaWriter,
  ) {
    const isOperation = (node: { kind: Kind }) => node.kind === Kind.OPERATION_DEFINITION;
    this.operation = endpoint.document.definitions.find(isOperation) as OperationDefinitionNode;
    this.root = this.operation.selectionSet.selections[0] as FieldNode;
    const fields = graph.getRootType(this.operation.operation)?.getFields();
    this.field = fields?.[this.root.name.value] as GraphQLField<unknown, unknown>;
  }

  /** Name, texts and access. @param tag the area that the operation belongs to */
  head(tag: string): Json {
    const { name, access } = this.endpoint;
    // The operation's description: its first line is the summary.
    const [summary = '', ...others] = this.operation.description?.value.split('\n') ?? [inWords(name)];
    const text = this.operation.description ? others.join('\n').trim() : this.field.description;
    const rule = access.rule;
    const roles = [rule?.scope, rule?.alsoScope, rule?.privilege].filter((role) => role !== undefined);
    const needs = roles.length > 0 && `Needs ${roles.map((role) => `\`${role}\``).join(' and ')}.`;
    return {
      operationId: name.replace(/^[A-Z]/, (letter) => letter.toLowerCase()),
      tags: [tag],
      summary,
      ...described([text, needs].filter(Boolean).join(' ')),
      security: rule ? [{ [CREDENTIALS[rule.credential]]: roles }] : [],
    };
  }

  /** Path and query variables, and the headers that every operation reads. */
  parameters(): readonly Json[] {
    const examples = this.examples('parameters');
    const named = this.endpoint.bindings.filter(({ source }) => PARAMETERS.has(source));
    return [
      ...named.map((binding) => ({
        name: binding.header ?? binding.name,
        in: binding.source,
        required: binding.required,
        ...described(this.argumentOf(binding)?.description),
        schema: this.variable(binding),
        ...(binding.name in examples && { example: examples[binding.name] }),
      })),
      ...this.headers().map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ];
  }

  /** The request headers that it reads beside those of a credential. */
  private headers(): string[] {
    const { access } = this.endpoint;
    return [
      'request-id',
      ...(isRepeatable(this.endpoint) ? ['idempotency-key'] : []),
      ...(access.rule?.byok ? ['byok-api-key', 'byok-organization'] : []),
    ];
  }

  /** The body; undefined where the operation reads none. @param switches fields that choose another operation */
  requestBody(switches: readonly string[]): Json | undefined {
    const { parts } = this.endpoint;
    if (parts) return filesBody(parts);
    const fields = this.endpoint.bindings.filter(({ source }) => source === 'body' || source === 'whole-body');
    if (fields.length === 0) return undefined;
    const required = fields.some((field) => field.required);
    const isWhole = fields[0]?.source === 'whole-body';
    // Its fields are those of the operation that is chosen without a switch.
    if (!isWhole && this.endpoint.when && switches.length > 0)
      return { required, content: { 'application/json': { examples: this.examples('request') } } };
    const schema = isWhole ? this.sidecar('schema') : this.fields(fields, switches);
    return { required, content: { 'application/json': { schema, examples: this.examples('request') } } };
  }

  /** The answer of a success. */
  answer(): Json {
    const { status, stream, access, location, redirect } = this.endpoint;
    const limited = [
      ...(access.rule?.rateLimited ? RATE_HEADERS : []),
      ...(access.rule?.metered ? ['x-omitted-fields'] : []),
    ];
    const replayed = isRepeatable(this.endpoint) ? ['idempotency-replayed'] : [];
    const located = location === undefined && redirect === undefined ? [] : ['location'];
    const headers = headerReferences(['x-request-id', ...located, ...replayed, ...limited]);
    const description = stream ? STREAMS[stream] : STATUS_CODES[status];
    if (status === 204 || redirect !== undefined) return { description, headers };
    if (this.endpoint.produces === 'BYTES') {
      return {
        description: `${description}: the file, or the range of it that is asked for (206).`,
        headers,
        content: fileContent(this.endpoint.media, {
          answer: () => ({ schema: this.sidecar('answer.schema'), examples: this.examples('answer') }),
          event: () => ({ schema: this.sidecar('event.schema'), examples: this.examples('event') }),
        }),
      };
    }
    const examples = this.examples('answer');
    const content = stream
      ? {
          [STREAM_TYPES[stream]]: {
            schema: isFileStream(stream) ? { type: 'string' } : this.sidecar('event.schema'),
            examples,
          },
        }
      : { 'application/json': { schema: this.answerSchema(), examples } };
    return { description, headers, content };
  }

  /** The errors that may be answered, by status. */
  errors(): Json {
    return errorsOf(this.endpoint);
  }

  private examples(kind: 'parameters' | 'request' | 'answer' | 'event'): Json {
    const examples = readSidecar(this.endpoint, 'examples')?.[this.endpoint.name] as
      | Readonly<Record<string, Json>>
      | undefined;
    return examples?.[kind] ?? {};
  }

  private sidecar(kind: Exclude<FileKind, 'examples'>): Json {
    const schema = readSidecar(this.endpoint, kind);
    if (typeof schema?.title !== 'string')
      throw new Error(`${this.endpoint.file}.${kind}.json is missing or has no title.`);
    return this.schemas.written(schema);
  }

  private fields(bindings: readonly Binding[], switches: readonly string[]): Json {
    const required = bindings.filter((binding) => binding.required).map(({ name }) => name);
    const properties = Object.fromEntries(
      bindings.map((binding) => [
        binding.name,
        describeDefault({ ...described(this.argumentOf(binding)?.description), ...this.variable(binding) }),
      ]),
    );
    for (const name of switches) properties[name] = { type: 'boolean', description: SWITCHED };
    const schema = { type: 'object', ...(required.length > 0 && { required }), properties };
    return this.schemas.named(`${this.endpoint.name}Request`, schema);
  }

  private variable({ name, type }: Binding): Json {
    const definition = this.operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
    return { ...this.schemas.input(type), ...defaultOf(definition?.defaultValue, type) };
  }

  /** The argument or input field that a variable ends up in: it has the description. */
  private argumentOf({ name }: Binding): GraphQLArgument | GraphQLInputField | undefined {
    const path = [...this.endpoint.wireNames].find(([, wireName]) => wireName === name)?.[0] ?? '';
    const [first, ...others] = path.split('.');
    let found: GraphQLArgument | GraphQLInputField | undefined = this.field.args.find(
      (argument) => argument.name === first,
    );
    for (const other of others) {
      const type = found && getNamedType(found.type);
      found = isInputObjectType(type) ? type.getFields()[other] : undefined;
    }
    return found;
  }

  private answerSchema(): Json {
    const { envelope, raw, document } = this.endpoint;
    if (raw !== undefined) return this.sidecar('answer.schema');
    if (envelope === 'NONE') return this.schemas.output(required(this.field.type), this.root.selectionSet, document);
    const { type, node } = itemOf(this.field.type, this.root);
    return this.schemas.page(this.schemas.output(type, node.selectionSet, document));
  }
}

/** `GetApiToken` becomes `Get api token`, for operations without a description. */
function inWords(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The type and the selection of a list's items; those of a connection are the nodes of its edges. */
function itemOf(type: GraphQLOutputType, node: FieldNode): { type: GraphQLOutputType; node: FieldNode } {
  const given = getNullableType(type);
  if (isListType(given)) return { type: given.ofType, node };
  return ['edges', 'node'].reduce(
    (parent, name) => {
      const object = getNamedType(parent.type);
      const below = parent.node.selectionSet?.selections.find(
        (entry) => entry.kind === Kind.FIELD && entry.name.value === name,
      );
      const field = isObjectType(object) ? object.getFields()[name] : undefined;
      if (!field || below?.kind !== Kind.FIELD) throw new Error(`${String(given)} is neither a list nor a connection.`);
      return { type: field.type, node: below };
    },
    { type, node },
  );
}

/** A root field that is null is answered with 404. */
function required(type: GraphQLOutputType): GraphQLOutputType {
  return new GraphQLNonNull(getNullableType(type));
}

/** A body with files; where it may be one file as it stands, there may be none. */
function filesBody(parts: FileParts): Json {
  const raw = parts.raw.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]);
  const content = { 'multipart/form-data': { schema: filesSchema(parts) }, ...Object.fromEntries(raw) };
  return { required: raw.length === 0, content };
}

/** The parts of a body with files. */
function filesSchema({ fields, most }: FileParts): Json {
  const file = {
    type: 'array',
    items: { type: 'string', contentMediaType: 'application/octet-stream' },
    minItems: 1,
    maxItems: most,
  };
  const text = { type: 'string', maxLength: 65_536 };
  const texts = fields
    .filter((name) => name !== '*')
    .map((name) => [name, name.endsWith('[]') ? { type: 'array', items: text } : text]);
  return {
    type: 'object',
    required: ['file'],
    properties: { file, ...Object.fromEntries(texts) },
    ...(fields.includes('*') && { additionalProperties: text }),
  };
}
