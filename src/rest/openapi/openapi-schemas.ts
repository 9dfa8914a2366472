import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  valueFromAST,
} from 'graphql';
import type {
  ConstValueNode,
  DocumentNode,
  FieldNode,
  GraphQLInputObjectType,
  GraphQLInputType,
  GraphQLObjectType,
  GraphQLOutputType,
  SelectionSetNode,
} from 'graphql';
import { toRestName } from '../../platform/text/rest-name.js';
import { nullable, portable } from './openapi-portable.js';
import type { Json } from './openapi-portable.js';

/** What each scalar is in JSON. */
const SCALARS: Readonly<Record<string, Json>> = {
  Boolean: { type: 'boolean' },
  DateTimeISO: { type: 'string', format: 'date-time' },
  Float: { type: 'number' },
  ID: { type: 'string' },
  Int: { type: 'integer', format: 'int32' },
  JSON: {},
  SafeInt: { type: 'integer', format: 'int64' },
  String: { type: 'string' },
};

/** Writes GraphQL types and selections as JSON Schemas; what has a name becomes a component. */
export class SchemaWriter {
  /** The named schemas that were written so far. */
  readonly components: Record<string, Json> = {};

  /** A reference to a component, which is added if it is new. @throws Error where two differ under one name */
  named(name: string, schema: Json): Json {
    const known = this.components[name];
    const titled = { title: name, ...schema };
    if (known && JSON.stringify(known) !== JSON.stringify(titled)) throw new Error(`There are two schemas ${name}.`);
    this.components[name] = titled;
    return { $ref: `#/components/schemas/${name}` };
  }

  /** A reference to a JSON Schema that was written by hand; its title is its name. */
  written({ $schema: _dialect, title, examples: _examples, ...schema }: Json): Json {
    const add = (name: string, part: Json) => this.named(name, part);
    return this.named(title as string, portable(schema, add));
  }

  /** A reference to a page of items that have a name: those of `Model` are a `ModelList`. */
  page(item: Json): Json {
    const name = /([^/]+)$/.exec(String(item.$ref ?? ''))?.[1];
    if (name === undefined) throw new Error('The items of a list need a name: select them by a fragment.');
    return this.named(`${name}List`, {
      type: 'object',
      required: ['object', 'data', 'has_more', 'next_cursor'],
      properties: {
        object: { type: 'string', const: 'list' },
        data: { type: 'array', items: item },
        has_more: { type: 'boolean' },
        next_cursor: {
          type: ['string', 'null'],
          description: 'The value of `after` for the next page; null at the end.',
        },
      },
    });
  }

  /** What a caller sends. A field that may be absent may not be null. */
  input(type: GraphQLInputType): Json {
    const given = getNullableType(type);
    if (isListType(given)) return { type: 'array', items: this.input(given.ofType) };
    if (isInputObjectType(given)) return this.named(given.name, this.inputObject(given));
    return this.leaf(given);
  }

  /** What is answered for a field, by what the operation selects of it. Aliases are the wire names. */
  output(type: GraphQLOutputType, selected: SelectionSetNode | undefined, document: DocumentNode): Json {
    const given = getNullableType(type);
    const schema = isListType(given)
      ? { type: 'array', items: this.output(given.ofType, selected, document) }
      : isObjectType(given) && selected
        ? this.selection(given, selected, document)
        : this.leaf(given);
    return isNonNullType(type) ? schema : nullable(schema);
  }

  /** A field with its description, under its wire name. */
  private property(parent: GraphQLObjectType, node: FieldNode, document: DocumentNode): Json {
    const field = parent.getFields()[node.name.value];
    if (!field) throw new Error(`${parent.name} has no field ${node.name.value}.`);
    return { ...this.output(field.type, node.selectionSet, document), ...described(field.description) };
  }

  /** A selection that is one fragment is that fragment's component: `TokenPairBody` becomes `TokenPair`. */
  private selection(type: GraphQLObjectType, { selections }: SelectionSetNode, document: DocumentNode): Json {
    const [first, ...others] = selections;
    if (first?.kind !== Kind.FRAGMENT_SPREAD || others.length > 0) return this.object(type, { selections }, document);
    const name = first.name.value.replace(/Body$/, '');
    return this.named(name, this.object(type, { selections }, document));
  }

  private object(
    type: GraphQLObjectType,
    selected: Pick<SelectionSetNode, 'selections'>,
    document: DocumentNode,
  ): Json {
    const properties = Object.fromEntries(
      fieldsOf(selected, document).map((node) => [
        (node.alias ?? node.name).value,
        this.property(type, node, document),
      ]),
    );
    return { type: 'object', ...described(type.description), required: Object.keys(properties), properties };
  }

  private inputObject(type: GraphQLInputObjectType): Json {
    const fields = Object.values(type.getFields());
    const required = fields.filter(({ type: of, defaultValue }) => isNonNullType(of) && defaultValue === undefined);
    const properties = Object.fromEntries(
      fields.map((field) => [toRestName(field.name), { ...this.input(field.type), ...described(field.description) }]),
    );
    return {
      type: 'object',
      ...described(type.description),
      ...(required.length > 0 && { required: required.map((field) => toRestName(field.name)) }),
      properties,
    };
  }

  private leaf(type: GraphQLInputType | GraphQLOutputType): Json {
    if (isEnumType(type)) {
      const values = type.getValues().map((value) => value.name);
      return this.named(type.name, { type: 'string', ...described(type.description), enum: values });
    }
    const schema = SCALARS[String(type)];
    if (!schema) throw new Error(`There is no JSON Schema for the type ${String(type)}.`);
    return schema;
  }
}

/** The default that a variable's definition gives it, if any. */
export function defaultOf(value: ConstValueNode | undefined, type: GraphQLInputType): Json {
  return value === undefined ? {} : { default: valueFromAST(value, type) };
}

/** The description as a member, if there is one. */
export function described(description: string | null | undefined): Json {
  return description ? { description } : {};
}

/** The fields of a selection, those of its fragments included. */
function fieldsOf({ selections }: Pick<SelectionSetNode, 'selections'>, document: DocumentNode): FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsOf(selection.selectionSet, document);
    const fragment = document.definitions.find(
      (entry) => entry.kind === Kind.FRAGMENT_DEFINITION && entry.name.value === selection.name.value,
    );
    return fragment?.kind === Kind.FRAGMENT_DEFINITION ? fieldsOf(fragment.selectionSet, document) : [];
  });
}
