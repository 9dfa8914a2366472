import type { FindOptionsWhere, Repository } from 'typeorm';
import { behind, readPage } from './connection.js';
import type { Connection, PageArgs } from './connection.js';

interface Identified {
  readonly id: string;
}

/**
 * Reads one page of a table in the order of its ids, which is that of their making.
 * @param where which rows are wanted
 * @param toNode what is shown of a row, with the same id
 * @throws BadRequest for a page size out of bounds or a cursor that is none
 */
export function readTablePage<Row extends Identified, Node extends Identified>(
  page: PageArgs,
  table: Pick<Repository<Row>, 'find'>,
  where: FindOptionsWhere<Row>,
  toNode: (row: Row) => Node,
): Promise<Connection<Node>> {
  // What TypeORM asks for by the type of the entity, it cannot know of a type parameter.
  const find = (options: object): Promise<Row[]> => table.find(options);
  return readPage(page, {
    keyOf: ({ id }) => id,
    read: async (take, after, order) => {
      const rows = await find({ where: { ...where, ...behind(after, order) }, order: { id: order }, take });
      return rows.map(toNode);
    },
    count: async (take) => (await find({ select: { id: true }, where, take })).length,
  });
}
