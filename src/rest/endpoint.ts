import type { DocumentNode, GraphQLInputType } from 'graphql';
import type { AccessExtension } from '../access/access-rule.js';

/** The status of an answer that sends a browser elsewhere. */
export const REDIRECT_STATUS = 302;

/** One variable of an operation, and where its value comes from. */
export interface Binding {
  /** The variable's name, which is the REST name. */
  readonly name: string;
  readonly source: 'path' | 'query' | 'header' | 'body' | 'whole-body' | 'files';
  /** Of a request header: its name in lower case. */
  readonly header?: string;
  readonly type: GraphQLInputType;
  readonly required: boolean;
}

/** What a body with files may have. */
export interface FileParts {
  /** The texts that may come beside the files. */
  readonly fields: readonly string[];
  /** How many files there may be. */
  readonly most: number;
  /** Types of a body that is one file as it stands, such as `audio/*`; none: files come as parts alone. */
  readonly raw: readonly string[];
}

/** When an operation answers a path that it shares with others. */
export interface Condition {
  readonly name: string;
  /** Undefined: the value must be true. */
  readonly value?: string;
}

/** How a stream is framed: as events, or as the lines of a file. */
export type StreamFraming = 'CHAT' | 'CSV' | 'NAMED' | 'NDJSON' | 'REPLAYABLE';

/** A REST endpoint: one operation document, read and checked once at start. */
export interface Endpoint {
  /** The operation's name. */
  readonly name: string;
  readonly domain: string;
  /** The path of its document without `.graphql`; its schemas and examples lie beside it. */
  readonly file: string;
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  /** The path as its document writes it, such as `/v1/admin/tenants/{id}`. */
  readonly path: string;
  readonly status: number;
  readonly when?: Condition;
  readonly envelope: 'LIST' | 'NONE';
  readonly raw?: string;
  /** The path of what was made, such as `/v1/api-tokens/{id}`. */
  readonly location?: string;
  /** The field of the answer that is the address to which a browser is sent, with status 302. */
  readonly redirect?: string;
  /** Statuses that the operation's own rules add to those of its kind; for the documentation. */
  readonly errors: readonly number[];
  readonly stream?: StreamFraming;
  /** BYTES: the answer is the file that the root field names. */
  readonly produces: 'BYTES' | 'JSON';
  /** Types that a BYTES answer may have; for the documentation. */
  readonly media: readonly string[];
  readonly document: DocumentNode;
  readonly operation: 'Query' | 'Mutation' | 'Subscription';
  /** The response key of the root field. */
  readonly rootField: string;
  readonly bindings: readonly Binding[];
  /** What a multipart body may have; undefined where the body is JSON. */
  readonly parts?: FileParts;
  /** GraphQL input path, such as `patch.plan`, to REST name. */
  readonly wireNames: ReadonlyMap<string, string>;
  readonly access: AccessExtension;
}

/** Whether a stream is a file. */
export function isFileStream(stream: StreamFraming | undefined): boolean {
  return stream === 'CSV' || stream === 'NDJSON';
}

/** Whether a stream makes nothing that is not there already: a GET may ask for it. */
export function isReadStream(stream: StreamFraming | undefined): boolean {
  return stream === 'REPLAYABLE' || isFileStream(stream);
}

/** Whether an endpoint takes an Idempotency-Key, and answers the same once more. */
export function isRepeatable({ method, access: { rule } }: Pick<Endpoint, 'method' | 'access'>): boolean {
  return method === 'POST' && rule !== undefined && !rule.stateless;
}
