import { hash } from 'node:crypto';
import {
  getOperationAST,
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { BadRequest } from '../errors.js';
import { isDeeperThan, MAX_JSON_DEPTH } from '../platform/json/json-depth.js';
import { withoutSuggestions } from './platform-error.js';
import { checkOperationLimits, excess, OPERATION_LIMITS } from './operation-limits.js';

/** How many characters of documents are kept with what was made of them, some 150 bytes for each. */
const KEPT_CHARACTERS = 200_000;
/** Validation stops at so many errors of a document. */
const MAX_ERRORS = 20;

/** What a client sends to have executed. */
export interface OperationRequest {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: Readonly<Record<string, unknown>> | null;
}

/** An operation that may be executed. */
export interface CheckedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/** A document that cannot be executed; every error that was found is told. */
export class InvalidOperation extends BadRequest {
  readonly errors: readonly BadRequest[];

  /** @param suggests names that are like the wrong ones are told */
  constructor(errors: readonly [GraphQLError, ...GraphQLError[]], suggests: boolean) {
    const textOf = ({ message }: GraphQLError): string => (suggests ? message : withoutSuggestions(message));
    super(textOf(errors[0]));
    this.errors = errors.map((error) => new BadRequest(textOf(error), undefined, error));
  }
}

/**
 * Parses, limits and validates operations from outside, the same for every transport. Documents are kept once they
 * are valid; the limits, which look at variables, are checked each time.
 */
export class OperationChecker {
  private readonly documents = new LRUCache<string, DocumentNode>({ maxSize: KEPT_CHARACTERS });

  /** @param production introspection is refused */
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly production: boolean,
  ) {}

  /** @throws InvalidOperation, or BadRequest that names the limit that the operation exceeds */
  check({ query, operationName, variables }: OperationRequest): CheckedOperation {
    if (query.length > OPERATION_LIMITS.characters) throw excess('characters');
    // Each of them may have as many levels.
    if (variables && isDeeperThan(MAX_JSON_DEPTH + 1, variables)) {
      throw new BadRequest(`A variable is nested deeper than ${MAX_JSON_DEPTH} levels.`);
    }
    const key = hash('sha256', query);
    const known = this.documents.get(key);
    const document = known ?? parseDocument(query);
    checkOperationLimits(this.schema, document, variables ?? {});
    if (!known) {
      this.validate(document);
      this.documents.set(key, document, { size: Math.max(1, query.length) });
    }
    const operation = getOperationAST(document, operationName);
    if (operation) return { document, operation };
    throw new BadRequest(
      operationName ? `There is no operation ${operationName.slice(0, 200)}.` : 'operationName must name an operation.',
    );
  }

  /** A document that was checked a moment ago, by the SHA-256 of its text in hex. */
  documentOf(key: string): DocumentNode | undefined {
    return this.documents.get(key);
  }

  private validate(document: DocumentNode): void {
    const rules = this.production ? [...specifiedRules, NoSchemaIntrospectionCustomRule] : specifiedRules;
    const [first, ...others] = validate(this.schema, document, rules, { maxErrors: MAX_ERRORS });
    // What is in the schema is nobody's guess in production.
    if (first) throw new InvalidOperation([first, ...others], !this.production);
  }
}

function parseDocument(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens: OPERATION_LIMITS.tokens });
  } catch (error) {
    // The parser calls itself for each level.
    if (error instanceof RangeError) throw excess('depth');
    if (!(error instanceof GraphQLError)) throw error;
    throw /more tha[nt] \d+ tokens/.test(error.message) ? excess('tokens') : new InvalidOperation([error], false);
  }
}
