import { getNamedType, getOperationAST, Kind, OperationTypeNode, parse, print, visit } from 'graphql';
import type { DocumentNode, FieldNode } from 'graphql';
import type { AccessExtension } from '../../../src/access/access-rule.js';
import type { App } from '../../../src/app.js';
import type { Endpoint } from '../../../src/rest/endpoint.js';
import { askGraphql } from './ask.js';
import { idsOf, pairOf, valuesOf } from './endpoint-operations.js';
import type { Values } from './inputs.js';
import { linesOf } from './operation.js';
import type { IdVariable, Operation } from './operation.js';

type RootType = Endpoint['operation'];

/** How a root field is asked that no REST document asks, or asks otherwise. */
interface WrittenField {
  readonly type: RootType;
  readonly field: string;
  readonly query: string;
  /** What else it is called where there are several. */
  readonly note?: string;
  /** The kind of its variable `id`. */
  readonly kind?: string;
  readonly access?: AccessExtension;
  readonly isSilent?: boolean;
  readonly variablesOf?: (values: Values) => Values;
}

const WRITTEN: readonly WrittenField[] = [
  { type: 'Query', field: 'health', query: '{ health { status } }' },
  { type: 'Query', field: '_service', query: '{ _service { sdl } }', access: { public: 'as introspection' } },
  {
    type: 'Query',
    field: 'directorySync',
    note: 'without directoryId',
    query: 'query ($id: ID!) { directorySync(id: $id) { id } }',
    kind: 'syn',
  },
  {
    type: 'Subscription',
    field: 'directorySyncUpdated',
    query: 'subscription ($id: ID!) { directorySyncUpdated(id: $id) { id } }',
    kind: 'syn',
  },
  {
    type: 'Subscription',
    field: 'auditLogAdded',
    query: 'subscription { auditLogAdded { id } }',
    isSilent: true,
  },
  {
    type: 'Subscription',
    field: 'auditLogAdded',
    query: 'subscription ($id: ID!) { auditLogAdded(tenantId: $id) { id } }',
    kind: 'ten',
    isSilent: true,
  },
  {
    type: 'Subscription',
    field: 'knowledgeFileUpdated',
    query: 'subscription ($id: ID!) { knowledgeFileUpdated(knowledgebaseId: $id) { id } }',
    kind: 'kb',
    isSilent: true,
  },
  {
    type: 'Subscription',
    field: 'documentSessionUpdated',
    query: 'subscription ($id: ID!) { documentSessionUpdated(id: $id) { id } }',
    kind: 'das',
  },
  {
    type: 'Subscription',
    field: 'documentTranslationUpdated',
    query: 'subscription ($id: ID!) { documentTranslationUpdated(id: $id) { id } }',
    kind: 'translated document',
  },
  {
    type: 'Subscription',
    field: 'recordingUpdated',
    query: 'subscription ($id: ID!) { recordingUpdated(id: $id) { id } }',
    kind: 'rec',
  },
  {
    type: 'Subscription',
    field: 'transcriptionStream',
    query: 'subscription ($id: ID!) { transcriptionStream(recordingId: $id) { __typename } }',
    kind: 'rec',
    isSilent: true,
  },
  {
    type: 'Query',
    field: 'recordingTranscript',
    query: 'query ($id: ID!) { recordingTranscript(id: $id) { model segments { text } } }',
    kind: 'heard recording',
  },
  {
    type: 'Mutation',
    field: 'appendRecordingAudio',
    query: 'mutation ($id: ID!) { appendRecordingAudio(id: $id, offset: 0, base64: "UklGRg==") { id } }',
    kind: 'rec',
  },
  { type: 'Subscription', field: 'quotaUpdated', query: 'subscription { quotaUpdated { percentUsed } }' },
  {
    type: 'Subscription',
    field: 'backendHealthChanged',
    query: 'subscription { backendHealthChanged { backend } }',
    isSilent: true,
  },
];

/** The kinds of entities, which routers ask for by their ids. */
const KINDS_OF_ENTITIES: Readonly<Record<string, string>> = {
  ApiToken: 'tok',
  DocumentSession: 'das',
  KnowledgeBase: 'kb',
  KnowledgeFile: 'file',
  Model: 'model',
  Recording: 'rec',
  ResearchSession: 'rs',
  Tenant: 'ten',
  User: 'usr',
};

/**
 * The root fields of the graph, each with every id that it takes: as the REST documents ask them, and as written above.
 * @throws Error that names the fields that neither asks, and their arguments of the type ID that neither gives
 */
export function rootFieldOperations(app: App): Operation[] {
  const written = [...WRITTEN, ...entities(app)];
  const documents = [...app.endpoints.map(({ document }) => document), ...written.map(({ query }) => parse(query))];
  const asked = documents.flatMap(placesIn);
  const missing = placesOf(app).filter((place) => !asked.includes(place));
  if (missing.length > 0) throw new Error(`Say in root-field-operations.ts how to ask ${missing.join(', ')}.`);
  const twice = new Set(asked.filter((place, index) => asked.indexOf(place) !== index));
  return [
    ...app.endpoints.flatMap((endpoint) => documentLines(endpoint, twice)),
    ...written.flatMap((field) => writtenLines(app, field)),
  ];
}

/** The root fields, and the arguments of theirs that are ids. */
function placesOf({ graph: { schema } }: App): string[] {
  return Object.values(OperationTypeNode).flatMap((operation) =>
    Object.values(schema.getRootType(operation)?.getFields() ?? {}).flatMap(({ name, args }) => {
      const ids = args.filter(({ type }) => getNamedType(type).name === 'ID');
      return [`${operation} ${name}`, ...ids.map((id) => `${operation} ${name}(${id.name})`)];
    }),
  );
}

/** The root field of a document, and its arguments. */
function placesIn(document: DocumentNode): string[] {
  const operation = getOperationAST(document)?.operation;
  const { name, arguments: args = [] } = fieldOf(document);
  return [`${operation} ${name.value}`, ...args.map((arg) => `${operation} ${name.value}(${arg.name.value})`)];
}

function fieldOf({ definitions }: DocumentNode): FieldNode {
  const [operation] = definitions;
  const field = operation?.kind === Kind.OPERATION_DEFINITION ? operation.selectionSet.selections[0] : undefined;
  if (field?.kind !== Kind.FIELD) throw new Error('The document has no root field.');
  return field;
}

/** The operation of a REST document, with the names of the graph. */
function documentLines(endpoint: Endpoint, twice: ReadonlySet<string>): Operation[] {
  const { document, operation, when } = endpoint;
  const field = fieldOf(document).name.value;
  const note = twice.has(`${operation.toLowerCase()} ${field}`) ? ` (${endpoint.name})` : '';
  const known = new Set(endpoint.bindings.map(({ name }) => name));
  const query = print(withoutAliases(document));
  const isSubscription = operation === 'Subscription';
  return linesOf(idsOf(endpoint), (suffix, ids) => ({
    name: `${operation.toLowerCase()} ${field}${note}${suffix}`,
    pair: pairOf(endpoint, suffix),
    access: endpoint.access,
    effect: operation === 'Mutation' ? 'change' : 'read',
    ...ids,
    ...valuesOf(endpoint, ids.id),
    send: (sender, values) => {
      const variables = Object.fromEntries(Object.entries(values).filter(([name]) => known.has(name)));
      // What tells the operations of a path apart is no part of them.
      if (when && variables.body) variables.body = { ...(variables.body as Values), [when.name]: undefined };
      return askGraphql(sender, { query, variables, key: field, isSubscription });
    },
  }));
}

/** Aliases are the names of REST; a client of the graph may send only so many. */
function withoutAliases(document: DocumentNode): DocumentNode {
  return visit(document, { Field: (node) => ({ ...node, alias: undefined }) });
}

function entities({ domains }: App): WrittenField[] {
  return domains
    .flatMap(({ references }) => references)
    .map(({ type, access }) => ({
      type: 'Query',
      field: '_entities',
      note: type,
      query: `query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on ${type} { id } } }`,
      kind: KINDS_OF_ENTITIES[type] ?? type,
      access: { rule: access },
      variablesOf: ({ id }) => ({ representations: [{ __typename: type, id }] }),
    }));
}

function writtenLines(app: App, written: WrittenField): Operation[] {
  const { type, field, note, query, kind, isSilent, variablesOf = (values: Values) => values } = written;
  const ids: IdVariable[] = kind === undefined ? [] : [{ name: 'id', kind, isRequired: true }];
  const isSubscription = type === 'Subscription';
  return linesOf(ids, (suffix, parts) => ({
    name: `${type.toLowerCase()} ${field}${note ? ` (${note})` : ''}${suffix}`,
    access: written.access ?? app.graph.accessOf(type, field),
    effect: 'read',
    ...parts,
    valuesFor: async () => ({}),
    headersFor: () => ({}),
    send: (sender, values) =>
      askGraphql(sender, { query, variables: variablesOf(values), key: field, isSubscription, isSilent }),
  }));
}
