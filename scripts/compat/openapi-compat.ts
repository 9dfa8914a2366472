import { SchemaComparison } from './schema-compat.js';
import type { Schema } from './schema-compat.js';

interface Reference {
  readonly $ref?: string;
}

interface Parameter extends Reference {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Answer extends Reference {
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Answer>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

/** The parts of an OpenAPI 3.1 description that clients depend on; references lead into the document itself. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** What breaks clients of the first description that meet a server of the second; each change is one line. */
export function breakingOpenapiChanges(before: Description, after: Description): string[] {
  return new OpenapiComparison(before, after).changes();
}

class OpenapiComparison {
  private readonly found = new Set<string>();
  private readonly report = (change: string) => void this.found.add(change);
  private readonly schemas: SchemaComparison;

  constructor(
    private readonly before: Description,
    private readonly after: Description,
  ) {
    const resolver = (document: Description) => (reference: string) => resolved<Schema>({ $ref: reference }, document);
    this.schemas = new SchemaComparison(resolver(before), resolver(after), this.report);
  }

  changes(): string[] {
    for (const [path, methods] of Object.entries(this.before.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const now = this.after.paths[path]?.[method];
        const where = `${method.toUpperCase()} ${path}`;
        if (now) this.compare(operation, now, where);
        else this.report(`${where}: was removed`);
      }
    }
    // Generated clients name their types by them.
    for (const name of Object.keys(this.before.components?.schemas ?? {})) {
      if (!this.after.components?.schemas?.[name]) this.report(`${name}: the schema was removed or has another name`);
    }
    return [...this.found];
  }

  private compare(before: Operation, after: Operation, where: string): void {
    if (before.operationId !== after.operationId) this.report(`${where}: its operationId is ${after.operationId} now`);
    this.compareSecurity(before, after, where);
    this.compareParameters(before, after, where);
    this.compareBody(before, after, where);
    for (const [status, given] of Object.entries(before.responses)) {
      const now = after.responses[status];
      if (now) this.compareAnswers(given, now, `${where} ${status}`);
      else this.report(`${where} ${status}: was removed`);
    }
  }

  /** Each way in that there was must still be one. */
  private compareSecurity(before: Operation, after: Operation, where: string): void {
    const ways = (operation: Operation) => (operation.security?.length ? operation.security : [{}]);
    const isStillOne = (old: Readonly<Record<string, readonly string[]>>) =>
      ways(after).some((now) =>
        Object.entries(now).every(
          ([scheme, roles]) => roles.every((role) => old[scheme]?.includes(role)) && old[scheme],
        ),
      );
    if (!ways(before).every(isStillOne)) this.report(`${where}: needs another credential or role now`);
  }

  private compareParameters(before: Operation, after: Operation, where: string): void {
    const old = parametersOf(before, this.before);
    const now = parametersOf(after, this.after);
    for (const [key, parameter] of old) {
      const same = now.get(key);
      if (same) this.schemas.compare(parameter.schema, same.schema, `${where} ${key}`, 'requests');
      else this.report(`${where} ${key}: was removed`);
    }
    for (const [key, { required }] of now) {
      if (required && !old.get(key)?.required) this.report(`${where} ${key}: is required now`);
    }
  }

  private compareBody({ requestBody: before }: Operation, { requestBody: after }: Operation, where: string): void {
    if (after?.required && !before?.required) this.report(`${where}: the body is required now`);
    if (!before) return;
    if (after) this.compareContent(before.content, after.content, `${where} body`, 'requests');
    else this.report(`${where}: takes no body now`);
  }

  private compareAnswers(before: Answer, after: Answer, where: string): void {
    const old = resolved(before, this.before);
    const now = resolved(after, this.after);
    for (const name of Object.keys(old.headers ?? {})) {
      if (!now.headers?.[name]) this.report(`${where}: the header ${name} was removed`);
    }
    this.compareContent(old.content ?? {}, now.content ?? {}, where, 'answers');
  }

  private compareContent(before: Content, after: Content, where: string, direction: 'requests' | 'answers'): void {
    for (const [type, { schema }] of Object.entries(before)) {
      const now = after[type];
      if (!now) this.report(`${where}: ${type} was removed`);
      else if (schema && now.schema) this.schemas.compare(schema, now.schema, `${where} ${type}`, direction);
    }
  }
}

/** By place and name, such as `query limit`. */
function parametersOf({ parameters = [] }: Operation, document: Description): Map<string, Parameter> {
  const all = parameters.map((parameter) => resolved(parameter, document));
  return new Map(all.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
}

function resolved<T extends Reference>(value: T, document: Description): T {
  if (value.$ref === undefined) return value;
  const names = value.$ref.split('/').slice(1);
  const found = names.reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], document);
  if (found === undefined) throw new Error(`There is nothing at ${value.$ref}.`);
  return resolved(found as T, document);
}
