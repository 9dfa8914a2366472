import { DocumentValue } from '../../../src/documents/review/document-value.entity.js';
import { newId } from '../../../src/platform/ids.js';
import type { Target, Whose } from './callers.js';
import type { World } from './world.js';

/** For whom something is copied. */
interface Copying {
  readonly world: World;
  readonly whose: Whose;
  /** The id of another thing. */
  readonly idOf: (world: World, kind: string, target: Target) => Promise<string>;
}

interface Copied {
  readonly kind: string;
  readonly prefix: 'das' | 'doc' | 'file' | 'job';
  readonly table: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** What takes long to be made: its rows are copied, as if it had been sent and read for whoever has it. By kind. */
export const COPIES: Readonly<Record<string, (copying: Copying) => Promise<string>>> = {
  das: (copying) => copyOne(copying, { kind: 'das', prefix: 'das', table: 'document_sessions' }),
  doc: copyDocument,
  ri: copyReviewItem,
  file: async (copying) => {
    const base_id = await copying.idOf(copying.world, 'kb', copying.whose);
    return copyOne(copying, { kind: 'file', prefix: 'file', table: 'knowledge_files', values: { base_id } });
  },
  'translated document': (copying) =>
    copyOne(copying, { kind: 'translated document', prefix: 'job', table: 'document_translations' }),
};

async function copyDocument(copying: Copying): Promise<string> {
  const { world, whose, idOf } = copying;
  const session_id = await idOf(world, 'das', whose);
  const id = await copyOne(copying, { kind: 'doc', prefix: 'doc', table: 'documents', values: { session_id } });
  const original = await idOf(world.pattern as World, 'doc', whose);
  const values = { id: newId('ri'), session_id, document_id: id };
  await copyRow(world, 'document_values', ['document_id', original], values);
  const count = 'UPDATE document_sessions SET document_count = 1, pending_count = 1 WHERE id = $1';
  await world.bed.platform.query(count, [session_id]);
  return id;
}

async function copyReviewItem({ world, whose, idOf }: Copying): Promise<string> {
  const documentId = await idOf(world, 'doc', whose);
  const { dataSource } = world.bed.platform.app.database;
  return (await dataSource.getRepository(DocumentValue).findOneByOrFail({ documentId })).id;
}

async function copyOne({ world, whose, idOf }: Copying, { kind, prefix, table, values }: Copied): Promise<string> {
  const id = newId(prefix);
  const owner = { tenant_id: world.tenantOf(whose), owner_id: world.user(whose).id };
  await copyRow(world, table, ['id', await idOf(world.pattern as World, kind, whose)], { ...owner, ...values, id });
  return id;
}

/** Copies a row of a table but for some of its columns. */
async function copyRow(world: World, table: string, where: [column: string, value: string], values: object) {
  const [column, value] = where;
  await world.bed.platform.query(
    `INSERT INTO ${table} SELECT (jsonb_populate_record(original, $2)).* FROM ${table} original WHERE ${column} = $1`,
    [value, JSON.stringify(values)],
  );
}
