import { getNamedType, isObjectType } from 'graphql';
import type { GraphQLObjectType, GraphQLSchema } from 'graphql';
import type { AccessExtension } from '../access/access-rule.js';
import type { ReferenceResolver } from './domain.js';

/**
 * Default deny, checked at start: every root field, and every object field that leads to an entity, says who may use
 * it; every entity has a guarded reference resolver. What hangs below a connection is guarded by the field that
 * answers the connection.
 * @throws Error that names every field without a rule
 */
export function checkAccess(schema: GraphQLSchema, references: readonly ReferenceResolver[]): void {
  const objects = Object.values(schema.getTypeMap()).filter(
    (type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith('__'),
  );
  const entities = new Set(objects.filter(isEntityType).map((type) => type.name));
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const open = objects
    .filter((type) => !type.name.endsWith('Edge') && !type.name.endsWith('Connection'))
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => roots.includes(type) || returnsEntity(getNamedType(field.type).name, entities))
        .filter((field) => !isGuarded(field.extensions as AccessExtension))
        .map((field) => `${type.name}.${field.name}`),
    );
  const guarded = new Set(references.map((reference) => reference.type));
  const missing = [...entities].filter((name) => !guarded.has(name)).map((name) => `the reference resolver of ${name}`);
  const problems = [...open, ...missing];
  if (problems.length > 0) throw new Error(`Without an access rule or @Public("why"): ${problems.join(', ')}.`);
}

function isGuarded(extension: AccessExtension): boolean {
  return extension.rule !== undefined || Boolean(extension.public);
}

function returnsEntity(typeName: string, entities: ReadonlySet<string>): boolean {
  return entities.has(typeName.replace(/Connection$/, ''));
}

function isEntityType(type: GraphQLObjectType): boolean {
  return type.astNode?.directives?.some((directive) => directive.name.value === 'key') ?? false;
}
