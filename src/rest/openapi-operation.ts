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
import type { Binding, Endpoint } from './endpoint.js';
import { errorsOf, headerReferences } from './openapi-errors.js';
import { readBesides } from './openapi-files.js';
import { defaultOf, described } from './openapi-schemas.js';
import type { Json, SchemaWriter } from './openapi-schemas.js';

const CREDENTIALS = { bearer: 'bearerToken', jwt: 'accessToken', service: 'serviceKey' } as const;
const RATE_HEADERS = ['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'];
const EVENTS =
  'Server-Sent Events: a `data:` line with a JSON chunk and a blank line for each piece; those of responses have an `event:` line too.';

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

  /** Name, texts, access and errors. */
  head(): Json {
    const { name, domain, access } = this.endpoint;
    const text = this.field.description ?? inWords(name);
    const rule = access.access;
    const roles = [rule?.scope, rule?.privilege].filter((role) => role !== undefined);
    const summary = text.split(/[.;](?:\s|$)/)[0] ?? text;
    const needs = roles.length > 0 && `Needs ${roles.map((role) => `\`${role}\``).join(' and ')}.`;
    const description = [text.replace(/\.$/, '') !== summary && text, needs].filter(Boolean).join(' ');
    return {
      operationId: name,
      tags: [domain],
      summary,
      ...described(description),
      security: rule ? [{ [CREDENTIALS[rule.credential]]: roles }] : [],
    };
  }

  /** Path and query variables, and the headers that every operation reads. */
  parameters(): readonly Json[] {
    const examples = this.examples('parameters');
    const named = this.endpoint.bindings.filter(({ source }) => source === 'path' || source === 'query');
    return [
      ...named.map((binding) => ({
        name: binding.name,
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
    const { method, access } = this.endpoint;
    const isRepeatable = method === 'POST' && access.access !== undefined;
    return [
      'request-id',
      ...(isRepeatable ? ['idempotency-key'] : []),
      ...(access.access?.limited ? ['byok-api-key', 'byok-organization'] : []),
    ];
  }

  /** The JSON body; undefined where the operation reads none. */
  requestBody(): Json | undefined {
    const fields = this.endpoint.bindings.filter(({ source }) => source === 'body' || source === 'whole-body');
    if (fields.length === 0) return undefined;
    const schema = fields[0]?.source === 'whole-body' ? this.besides('schema') : this.fields(fields);
    const required = fields.some((field) => field.required);
    return { required, content: { 'application/json': { schema, examples: this.examples('request') } } };
  }

  /** The answer of a success. */
  answer(): Json {
    const { method, status, stream, access, location } = this.endpoint;
    const limited = access.access?.limited ? [...RATE_HEADERS, 'x-omitted-fields'] : [];
    const replayed = method === 'POST' && access.access ? ['idempotency-replayed'] : [];
    const located = location === undefined ? [] : ['location'];
    const headers = headerReferences(['x-request-id', ...located, ...replayed, ...limited]);
    const description = STATUS_CODES[status];
    if (status === 204) return { description, headers };
    const examples = this.examples('answer');
    const content = stream
      ? { 'text/event-stream': { schema: { type: 'string', description: EVENTS }, examples } }
      : { 'application/json': { schema: this.answerSchema(), examples } };
    return { description, headers, content };
  }

  /** The errors that may be answered, by status. */
  errors(): Json {
    return errorsOf(this.endpoint);
  }

  private examples(kind: 'parameters' | 'request' | 'answer'): Json {
    const examples = readBesides(this.endpoint, 'examples')?.[this.endpoint.name] as
      | Readonly<Record<string, Json>>
      | undefined;
    return examples?.[kind] ?? {};
  }

  private besides(kind: 'schema' | 'answer.schema'): Json {
    const { $schema: _dialect, ...schema } = readBesides(this.endpoint, kind) ?? {};
    if (typeof schema.title !== 'string')
      throw new Error(`${this.endpoint.file}.${kind}.json is missing or has no title.`);
    return this.schemas.named(schema.title, schema);
  }

  private fields(bindings: readonly Binding[]): Json {
    const required = bindings.filter((binding) => binding.required).map(({ name }) => name);
    const properties = Object.fromEntries(
      bindings.map((binding) => [
        binding.name,
        { ...this.variable(binding), ...described(this.argumentOf(binding)?.description) },
      ]),
    );
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
    if (raw !== undefined) return this.besides('answer.schema');
    if (envelope === 'NONE') return this.schemas.output(required(this.field.type), this.root.selectionSet, document);
    const { type, node } = itemOf(this.field.type, this.root);
    return {
      type: 'object',
      required: ['object', 'data', 'has_more', 'next_cursor'],
      properties: {
        object: { type: 'string', const: 'list' },
        data: { type: 'array', items: this.schemas.output(type, node.selectionSet, document) },
        has_more: { type: 'boolean' },
        next_cursor: {
          type: ['string', 'null'],
          description: 'The value of `after` for the next page; null at the end.',
        },
      },
    };
  }
}

/** `GetApiToken` becomes `Get api token`, for fields without a description. */
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
