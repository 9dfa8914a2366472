/** A JSON Schema as the OpenAPI description has them. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly [keyword: string]: unknown;
}

/** Who sends the values of a schema: the client, or the server. */
export type Direction = 'requests' | 'answers';

/** Gives a schema for its reference, such as `#/components/schemas/Model`. */
export type Resolve = (reference: string) => Schema;

/** The keywords that bound values of a type. */
const BOUNDS: Readonly<Record<string, readonly [lower: string, upper: string]>> = {
  array: ['minItems', 'maxItems'],
  integer: ['minimum', 'maximum'],
  number: ['minimum', 'maximum'],
  string: ['minLength', 'maxLength'],
};
const ANY = 'any';

/**
 * Finds what breaks clients between two versions of a schema: a request that was valid and is not any more, an answer
 * that clients of the first version do not expect. New fields of answers are expected.
 */
export class SchemaComparison {
  private readonly compared = new Set<string>();

  constructor(
    private readonly before: Resolve,
    private readonly after: Resolve,
    private readonly report: (change: string) => void,
  ) {}

  /** @param where how the changes name the schema; a component goes by its own name, and is compared once */
  compare(before: Schema, after: Schema, where: string, direction: Direction): void {
    if (before.$ref === undefined || after.$ref === undefined) {
      this.compareAlternatives(before, after, where, direction);
      return;
    }
    const key = `${direction} ${before.$ref} ${after.$ref}`;
    if (this.compared.has(key)) return;
    this.compared.add(key);
    const name = before.$ref.split('/').at(-1) ?? where;
    this.compareAlternatives(this.before(before.$ref), this.after(after.$ref), name, direction);
  }

  private compareAlternatives(before: Schema, after: Schema, where: string, direction: Direction): void {
    const old = alternatives(before, this.before);
    const now = alternatives(after, this.after);
    const [given, taken] = direction === 'requests' ? [old, now] : [now, old];
    for (const type of new Set(given.map(typeOf))) {
      const takers = taken.filter((schema) => covers(typeOf(schema), type));
      if (takers.length === 0) {
        this.report(`${where}: ${direction === 'requests' ? 'may not be' : 'may be'} ${type} now`);
        continue;
      }
      for (const schema of given.filter((other) => typeOf(other) === type)) {
        const [problems = []] = takers
          .map((taker) => this.problemsOf(schema, taker, where, direction))
          .toSorted((a, b) => a.length - b.length);
        problems.forEach(this.report);
      }
    }
  }

  /** What is wrong where one alternative meets another; they are told only where no other fits better. */
  private problemsOf(given: Alternative, taken: Alternative, where: string, direction: Direction): string[] {
    const problems: string[] = [];
    const inner = new SchemaComparison(this.before, this.after, (change) => void problems.push(change));
    this.compared.forEach((key) => inner.compared.add(key));
    const [before, after] = direction === 'requests' ? [given, taken] : [taken, given];
    if (before.component && after.component) {
      inner.compare({ $ref: before.component }, { $ref: after.component }, where, direction);
      return problems;
    }
    inner.compareValues(before, after, where, direction);
    // What takes anything takes every field and every number.
    if (typeOf(taken) === ANY) return problems;
    const type = typeOf(given);
    if (direction === 'requests') inner.compareBounds(before, after, where, type);
    if (type === 'object') inner.compareFields(before, after, where, direction);
    if (type === 'array' && before.items && after.items)
      inner.compare(before.items, after.items, `${where}[]`, direction);
    return problems;
  }

  private compareValues(before: Schema, after: Schema, where: string, direction: Direction): void {
    const [given, taken] = direction === 'requests' ? [before, after] : [after, before];
    const may = direction === 'requests' ? 'may not be' : 'may be';
    const [values, known] = [valuesOf(given), valuesOf(taken)];
    if (known && !values) this.report(`${where}: ${may} another value than ${JSON.stringify(known)} now`);
    const missing = known && values?.filter((value) => !known.includes(value));
    if (missing?.length)
      this.report(`${where}: ${may} ${missing.map((value) => JSON.stringify(value)).join(', ')} now`);
  }

  private compareBounds(before: Schema, after: Schema, where: string, type: string): void {
    const [lower, upper] = BOUNDS[type] ?? [];
    for (const [bound, sign] of [
      [lower, 1],
      [upper, -1],
    ] as const) {
      const [old, now] = bound ? [before[bound], after[bound]] : [];
      if (typeof now !== 'number') continue;
      if (typeof old !== 'number' || (now - old) * sign > 0) this.report(`${where}: ${bound} is ${now} now`);
    }
    const hasOther = after.pattern !== undefined && after.pattern !== before.pattern;
    if (type === 'string' && hasOther) this.report(`${where}: has another pattern`);
  }

  private compareFields(before: Schema, after: Schema, where: string, direction: Direction): void {
    const wasRequired = new Set(before.required);
    const isRequired = new Set(after.required);
    for (const [name, schema] of Object.entries(before.properties ?? {})) {
      const field = `${where}.${name}`;
      const now = after.properties?.[name];
      if (!now) this.report(`${field}: was removed`);
      else this.compare(schema, now, field, direction);
      if (now && direction === 'answers' && wasRequired.has(name) && !isRequired.has(name)) {
        this.report(`${field}: may be absent now`);
      }
    }
    if (direction === 'requests') {
      for (const name of isRequired) if (!wasRequired.has(name)) this.report(`${where}.${name}: is required now`);
      if (isOpen(before) && !isOpen(after)) this.report(`${where}: takes no other fields now`);
    }
    const [old, now] = [before.additionalProperties, after.additionalProperties];
    if (typeof old === 'object' && typeof now === 'object') this.compare(old, now, `${where}.*`, direction);
  }
}

/** A schema of one type, and the reference that it was found by. */
type Alternative = Schema & { readonly component?: string };

/** A schema as schemas of one type each. */
function alternatives({ $ref, ...schema }: Schema, resolve: Resolve): Alternative[] {
  if ($ref !== undefined) return alternatives(resolve($ref), resolve).map((other) => ({ ...other, component: $ref }));
  const several = schema.oneOf ?? schema.anyOf;
  if (several) return several.flatMap((other) => alternatives(other, resolve));
  if (typeof schema.type === 'string' || schema.type === undefined) return [schema];
  return schema.type.map((type) => ({ ...schema, type, ...(schema.enum && { enum: enumOf(schema.enum, type) }) }));
}

/** The values of an enumeration that have a type. */
function enumOf(values: readonly unknown[], type: string): unknown[] {
  return values.filter((value) => (value === null) === (type === 'null'));
}

function typeOf({ type }: Schema): string {
  return typeof type === 'string' ? type : ANY;
}

function covers(type: string, other: string): boolean {
  return type === other || type === ANY || (type === 'number' && other === 'integer');
}

function valuesOf(schema: Schema): readonly unknown[] | undefined {
  return schema.const === undefined ? schema.enum : [schema.const];
}

function isOpen({ additionalProperties }: Schema): boolean {
  return additionalProperties !== false;
}
