import { ArgsType, Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { ClassType } from 'type-graphql';
import { LessThan, MoreThan } from 'typeorm';
import type { FindOperator } from 'typeorm';
import { BadRequest } from '../errors.js';

const DEFAULT_PAGE = 20;
const MAX_PAGE = 100;
/** Lists are counted no further than this. */
const MAX_COUNT = 10_000;

/** The order of a list by creation. */
export const SortOrder = { asc: 'asc', desc: 'desc' } as const;
/** One of them. */
export type SortOrder = keyof typeof SortOrder;

registerEnumType(SortOrder, {
  name: 'SortOrder',
  description: 'By creation: the oldest or the youngest first.',
  valuesConfig: { asc: { description: 'The oldest first.' }, desc: { description: 'The youngest first.' } },
});

/** Whether a connection goes on, and from where. */
@ObjectType({ simpleResolvers: true, description: 'Whether a connection goes on, and from where.' })
class PageInfo {
  @Field(() => Boolean, { description: 'Whether there are more behind the last edge.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether the page was asked for as one behind another.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'The cursor of the first edge; null on an empty page.' })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'The cursor of the last edge; null on an empty page.' })
  endCursor!: string | null;
}

/** Which page of a connection is wanted. */
@ArgsType()
export class PageArgs {
  @Field(() => Int, { nullable: true, description: '1 to 100; 20 by default.' })
  first?: number | null;

  @Field(() => String, { nullable: true, description: 'A cursor: the page begins behind it.' })
  after?: string | null;

  @Field(() => SortOrder, { nullable: true, description: 'The youngest first by default.' })
  order?: SortOrder | null;
}

/** One entry of a connection. */
interface Edge<Node> {
  readonly cursor: string;
  readonly node: Node;
}

/** A page of a list (Relay connection). */
export interface Connection<Node> {
  readonly edges: readonly Edge<Node>[];
  readonly pageInfo: PageInfo;
  /** A function, so that it is counted only when it is selected. */
  readonly totalCount: () => Promise<number>;
}

/** How a list is read; the key of an entry is unique and gives the list its order. */
export interface PageSource<Node> {
  /** At most `limit` entries in this order behind the one with the key `after`, or from the start. */
  read(limit: number, after: string | undefined, order: SortOrder): Promise<Node[]>;
  keyOf(node: Node): string;
  /** The number of all entries, counted to at most `limit`. */
  count(limit: number): Promise<number>;
}

/** Makes the GraphQL types `<name>Connection` and `<name>Edge`; call it once for each node type. */
export function connectionType<Node extends object>(name: string, node: ClassType<Node>): ClassType<Connection<Node>> {
  @ObjectType(`${name}Edge`, { simpleResolvers: true, description: 'One entry of a page.' })
  class NodeEdge implements Edge<Node> {
    @Field(() => String, { description: 'The next page begins behind it: `after`.' })
    cursor!: string;

    @Field(() => node, { description: 'The entry itself.' })
    node!: Node;
  }

  @ObjectType(`${name}Connection`, { simpleResolvers: true, description: 'A page of a list.' })
  class NodeConnection implements Connection<Node> {
    @Field(() => [NodeEdge], { description: 'The entries, in their order.' })
    edges!: NodeEdge[];

    @Field(() => PageInfo, { description: 'Where the page stands.' })
    pageInfo!: PageInfo;

    @Field(() => Int, { nullable: true, description: 'Counted to at most 10,000.' })
    totalCount!: () => Promise<number>;
  }
  return NodeConnection;
}

/**
 * Reads one page.
 * @throws BadRequest for a page size out of bounds or a cursor that is none
 */
export async function readPage<Node>(page: PageArgs, source: PageSource<Node>): Promise<Connection<Node>> {
  const size = page.first ?? DEFAULT_PAGE;
  if (size < 1 || size > MAX_PAGE) throw new BadRequest(`first must be from 1 to ${MAX_PAGE}.`, 'first');
  // One entry more than asked for tells whether there is a next page.
  const nodes = await source.read(size + 1, decodeCursor(page.after), page.order ?? 'desc');
  const edges = nodes.slice(0, size).map((node) => ({ cursor: encodeCursor(source.keyOf(node)), node }));
  return {
    edges,
    pageInfo: {
      hasNextPage: nodes.length > size,
      hasPreviousPage: typeof page.after === 'string',
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount: () => source.count(MAX_COUNT),
  };
}

/** TypeORM's condition for the entries behind a key, in lists whose key is `id`. */
export function behind(after: string | undefined, order: SortOrder): { id?: FindOperator<string> } {
  if (after === undefined) return {};
  return { id: order === 'asc' ? MoreThan(after) : LessThan(after) };
}

function encodeCursor(key: string): string {
  return Buffer.from(key).toString('base64url');
}

function decodeCursor(cursor: string | null | undefined): string | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  const key = Buffer.from(cursor, 'base64url').toString();
  // Everything that we did not write ourselves is refused, characters that a database cannot store included.
  if (encodeCursor(key) !== cursor || !/^[\x20-\x7e]+$/.test(key))
    throw new BadRequest('after is not a cursor.', 'after');
  return key;
}
