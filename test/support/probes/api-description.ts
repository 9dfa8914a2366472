import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenapiDocument } from '../../../src/rest/openapi/openapi.js';
import type { AnyJson } from './any-json.js';

/** One operation of the description. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Path, query and header parameters; references are resolved. */
  readonly parameters: readonly AnyJson[];
  /** The schema of the JSON body and its named examples, if it has one. */
  readonly body?: {
    readonly schema: AnyJson;
    readonly pointer: string;
    readonly examples: Record<string, { value: AnyJson }>;
  };
  /** Pointers to the answers by status. */
  readonly responses: Readonly<Record<string, string>>;
}

/** What an answer is checked by. */
export interface GivenAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

/** An OpenAPI description that answers and examples are held against. */
export class ApiDescription {
  readonly operations: readonly Operation[];
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(private readonly document: OpenapiDocument) {
    this.ajv.addSchema(document, 'api');
    this.operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => this.operation(path, method)),
    );
  }

  /** What is at a pointer of the document, such as `#/paths`. */
  at(pointer: string): AnyJson {
    const names = pointer.split('/').slice(1);
    return names.reduce<AnyJson>((value, name) => value?.[decode(name)], this.document);
  }

  /** Why a value does not fit the schema at a pointer, if so. */
  mismatch(pointer: string, value: unknown): string | undefined {
    const validate = this.compiled.get(pointer) ?? this.ajv.compile({ $ref: `api${pointer}` });
    this.compiled.set(pointer, validate);
    return validate(value) ? undefined : this.ajv.errorsText(validate.errors);
  }

  /** Why an answer is not one that the description promises, if so. */
  problemOf(operation: Operation, answer: GivenAnswer): string | undefined {
    const pointer = operation.responses[answer.status];
    if (pointer === undefined) return `the status ${answer.status} is not described`;
    const { content } = this.at(pointer) as { content?: Record<string, AnyJson> };
    if (!content) return answer.text === '' ? undefined : 'a body is not described';
    const type = answer.contentType?.split(';')[0] ?? '';
    if (!(type in content)) return `the media type ${type} is not described`;
    const schema = `${pointer}/content/${encode(type)}/schema`;
    if (type === 'text/event-stream' && this.at(schema).$ref) return this.problemOfEvents(schema, answer.text);
    return type.endsWith('json') ? this.mismatch(schema, JSON.parse(answer.text)) : undefined;
  }

  /** The data of every event fits the schema; that of an error is the body of one. */
  private problemOfEvents(schema: string, text: string): string | undefined {
    const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => json).filter((json) => json !== '[DONE]');
    if (data.length === 0) return 'the stream has no event';
    return data
      .map((json) => JSON.parse(json) as AnyJson)
      .map((event) => this.mismatch(event.error ? '#/components/schemas/ErrorResponse' : schema, event))
      .find((mismatch) => mismatch !== undefined);
  }

  private operation(path: string, method: string): Operation {
    const pointer = `#/paths/${encode(path)}/${method}`;
    const { operationId, parameters, requestBody, responses } = this.at(pointer);
    const media = requestBody?.content['application/json'];
    const bodyPointer = `${pointer}/requestBody/content/${encode('application/json')}/schema`;
    return {
      id: operationId,
      method: method.toUpperCase(),
      path,
      parameters: parameters.map((entry: AnyJson) => (entry.$ref ? this.at(entry.$ref) : entry)),
      body: media && { schema: this.resolved(media.schema), pointer: bodyPointer, examples: media.examples ?? {} },
      responses: Object.fromEntries(
        Object.entries<AnyJson>(responses).map(([status, entry]) => [
          status,
          entry.$ref ?? `${pointer}/responses/${status}`,
        ]),
      ),
    };
  }

  /** With what is referred to in the place of each reference; no schema of a body contains itself. */
  private resolved(value: AnyJson): AnyJson {
    if (typeof value !== 'object' || value === null) return value;
    if (value.$ref) return this.resolved(this.at(value.$ref));
    if (Array.isArray(value)) return value.map((entry) => this.resolved(entry));
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, this.resolved(entry)]));
  }
}

function encode(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function decode(name: string): string {
  return decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
}
