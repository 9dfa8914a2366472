import { buildSubgraphSchema } from '@apollo/subgraph';
import { getNullableType, isObjectType, Kind, parse } from 'graphql';
import type { DocumentNode, GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import { buildSchema, createResolversMap, getMetadataStorage } from 'type-graphql';
import type { AuthChecker, NonEmptyArray, ResolverData } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { checkAccess } from './access-check.js';
import { requireServiceKey } from '../access/access-rule.js';
import type { AccessExtension, AccessRule } from '../access/access-rule.js';
import type { Domain } from './domain.js';
import { recordDenials } from './denials.js';
import { serveEntities } from './entities.js';
import { checkKeys } from './entity-keys.js';
import { clientSdl, subgraphSdl, typesOf } from './subgraph.js';
import type { SubgraphView } from './subgraph.js';

/** The served graph. */
export interface Graph {
  readonly schema: GraphQLSchema;
  /** As a router reads it: with what federation needs. */
  readonly sdl: string;
  /** As clients read it. */
  readonly clientSdl: string;
  /** What the schema says of the access to a root field. */
  accessOf(type: 'Query' | 'Mutation' | 'Subscription', field: string): AccessExtension;
}

type ResolverMap = Record<string, Record<string, unknown>>;

/**
 * Builds the graph of the served domains: a Federation 2 subgraph that executes in this process. What answers is in the
 * context of each request.
 *
 * @param served the domains whose resolvers answer; all of them by default operation
 * @param all every domain: who owns which entity, and what else is used where
 * @param production `_service`, which prints the whole schema, needs a service key
 * @throws Error that names every field without an access rule
 */
export async function buildGraph(
  served: readonly Domain[],
  all: readonly Domain[],
  production = false,
): Promise<Graph> {
  const types = await buildTypes(served);
  const references = new Map(all.flatMap((domain) => domain.references.map((entry) => [entry.type, entry])));
  checkAccess(types, [...references.values()]);
  checkKeys(types, references);
  const usedElsewhere = new Set<string>();
  // One after another: type-graphql builds with static state.
  for (const other of all.filter((domain) => !served.includes(domain))) {
    const sdl = subgraphSdl(typesOf(await buildTypes([other])), viewOf([other], all, new Set()));
    for (const name of objectTypes(parse(sdl))) usedElsewhere.add(name);
  }
  const sdl = subgraphSdl(typesOf(types), viewOf(served, all, usedElsewhere));
  const typeDefs = parse(sdl);
  const schema = buildSubgraphSchema([{ typeDefs, resolvers: resolversOf(types, typeDefs) as never }]);
  recordDenials(schema, (type, field) => accessExtension(types, type, field).rule);
  serveEntities(schema);
  serveSdl(schema, sdl, production);
  return {
    schema,
    sdl,
    clientSdl: clientSdl(typeDefs),
    accessOf: (type, field) => accessExtension(types, type, field),
  };
}

function viewOf(served: readonly Domain[], all: readonly Domain[], usedElsewhere: ReadonlySet<string>): SubgraphView {
  const others = all.filter((domain) => !served.includes(domain));
  return {
    foreignEntities: new Set(others.flatMap((domain) => domain.references.map((entry) => entry.type))),
    addedFields: addedFields(served),
    // type-graphql keeps a field that a resolver adds once it was built, also where that resolver is left out.
    addedElsewhere: addedFields(others),
    usedElsewhere,
  };
}

async function buildTypes(domains: readonly Domain[]): Promise<GraphQLSchema> {
  const schema = await buildSchema({
    resolvers: [...resolverClasses(domains)] as unknown as NonEmptyArray<() => void>,
    container: {
      get: (resolver, { context }: ResolverData<RequestContext>) => context.responders.resolverOf(resolver),
    },
    authChecker: authChecker as unknown as AuthChecker,
    // Nothing may lead to a foreign entity but its key, and its added fields are served all the same.
    orphanedTypes: fieldResolversOf(domains).flatMap(({ target }) => (objectTypeOf(target) as () => void) ?? []),
    // The services check what callers send: their messages name the REST field.
    validate: false,
    // Required as soon as a subscription exists; ours return their stream themselves.
    pubSub: {
      publish: () => undefined,
      subscribe: () => {
        throw new Error('unused');
      },
    },
  });
  for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {})) {
    field.subscribe = field.resolve as GraphQLFieldResolver<unknown, unknown>;
    field.resolve = (event: unknown) => event;
  }
  describeRoots(schema);
  return schema;
}

/** One part that fails never takes its neighbours with it: what queries and mutations answer may be null. */
function describeRoots(schema: GraphQLSchema): void {
  const roots = [
    [schema.getQueryType(), 'What can be read.'],
    [schema.getMutationType(), 'What can be done.'],
    [schema.getSubscriptionType(), 'What can be listened to.'],
  ] as const;
  for (const [type, description] of roots) {
    if (!type) continue;
    type.description = description;
    if (type === schema.getSubscriptionType()) continue;
    for (const field of Object.values(type.getFields())) field.type = getNullableType(field.type);
  }
}

/** Throws its own errors: answering false would become type-graphql's. */
const authChecker: AuthChecker<RequestContext, AccessRule> = (
  { context, info }: ResolverData<RequestContext>,
  [rule],
) => {
  const admitted = rule && context.admission.admit(rule, info.fieldName);
  return admitted ? admitted.then(() => true) : true;
};

/** Fields that exist only through a resolver; where an entity declares the field itself, nothing is added. */
function addedFields(domains: readonly Domain[]): Set<string> {
  const names = new Map(getMetadataStorage().objectTypes.map((entry) => [entry.target, entry.name]));
  const own = new Set(domains.flatMap((domain) => domain.references.map((entry) => entry.type)));
  return new Set(
    fieldResolversOf(domains)
      .map((entry) => ({ type: names.get(objectTypeOf(entry.target) as never) ?? '', field: entry.schemaName }))
      .filter(({ type }) => !own.has(type))
      .map(({ type, field }) => `${type}.${field}`),
  );
}

function fieldResolversOf(domains: readonly Domain[]) {
  const classes = resolverClasses(domains);
  return getMetadataStorage().fieldResolvers.filter((entry) => classes.has(entry.target));
}

function resolverClasses(domains: readonly Domain[]): ReadonlySet<unknown> {
  return new Set(domains.flatMap((domain) => domain.resolvers.map((entry) => entry.constructor)));
}

/** The class whose fields a resolver class resolves. Its fields know that too, but not before the first build. */
function objectTypeOf(resolver: unknown): unknown {
  return getMetadataStorage()
    .resolverClasses.find(({ target }) => target === resolver)
    ?.getObjectType();
}

function objectTypes({ definitions }: DocumentNode): string[] {
  return definitions.filter((entry) => entry.kind === Kind.OBJECT_TYPE_DEFINITION).map((entry) => entry.name.value);
}

function accessExtension(types: GraphQLSchema, type: string, field: string): AccessExtension {
  const parent = types.getType(type);
  return (isObjectType(parent) ? parent.getFields()[field]?.extensions : undefined) as AccessExtension;
}

/** The resolvers of what the SDL has: fields of foreign types that were cut have none. */
function resolversOf(types: GraphQLSchema, typeDefs: DocumentNode): ResolverMap {
  const resolvers = createResolversMap(types) as ResolverMap;
  const kept: ResolverMap = {};
  for (const definition of typeDefs.definitions) {
    if (!('name' in definition) || !definition.name) continue;
    const name = definition.name.value;
    const fields = resolvers[name];
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) {
      if (fields) kept[name] = fields;
      continue;
    }
    const inSdl = new Set(definition.fields?.map((field) => field.name.value));
    kept[name] = Object.fromEntries(Object.entries(fields ?? {}).filter(([field]) => inSdl.has(field)));
  }
  return kept;
}

/** Routers get the very text that the repository has; in production for a service key alone. */
function serveSdl(schema: GraphQLSchema, sdl: string, production: boolean): void {
  const service = schema.getQueryType()?.getFields()._service;
  if (!service) throw new Error('The subgraph has no _service.');
  service.resolve = (_source, _args, context: RequestContext) => {
    if (production) requireServiceKey(context);
    return { sdl };
  };
}
