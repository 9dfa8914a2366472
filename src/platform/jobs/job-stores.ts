import type { DataSource } from 'typeorm';
import type { Blobs } from '../blobs/blobs.js';
import { JOB_SCHEMA } from './job-database.js';

/** Says which store of files a process has, and which one has the bytes of a file. */
export type FileStores = Pick<Blobs, 'storeId' | 'storeOf'>;

/** What is stored of the file that a job needs. */
export interface StoredFile {
  readonly blobKey?: string;
  /** The only store whose processes do the job; left out: any process does it. */
  readonly store?: string;
}

/** A file is deleted, or the operator has moved it to another store, while its job waits. */
const FOLLOW = `
  UPDATE ${JOB_SCHEMA}.job j
  SET data = CASE WHEN w.store IS NULL THEN j.data - 'store' ELSE jsonb_set(j.data, '{store}', to_jsonb(w.store)) END
  FROM (
    SELECT q.name, q.id, b.store
    FROM ${JOB_SCHEMA}.job q LEFT JOIN blobs b ON b.key = q.data->>'blobKey' AND b.state <> 'released'
    WHERE q.state < 'active' AND q.data->>'store' IS NOT NULL AND b.store IS DISTINCT FROM q.data->>'store') w
  WHERE j.name = w.name AND j.id = w.id AND j.state < 'active'`;

/**
 * A condition of a statement: a process may do a job, since it has its file, or the job needs none.
 * @param data what is stored of the job
 * @param store of the process; SQL, as `data`
 */
export function isForStore(data: string, store: string): string {
  return `(${data}->>'store' IS NULL OR ${data}->>'store' = ${store})`;
}

/** Lets jobs that wait follow their files; what is to be done with a file that is gone any process may find out. */
export async function followFiles(dataSource: DataSource): Promise<void> {
  await dataSource.query(FOLLOW);
}

/** The bytes of a file lie in a store that this process does not have. */
export class FileElsewhere extends Error {
  override readonly name = 'FileElsewhere';

  constructor(readonly file: Required<StoredFile>) {
    super('Another process has the bytes that this job needs.');
  }
}

/** @throws FileElsewhere where another process has the bytes of a blob; that one is gone any process may find out */
export async function requireFile(blobs: FileStores, blobKey: string): Promise<void> {
  const store = await blobs.storeOf(blobKey);
  if (store !== undefined && store !== (await blobs.storeId())) throw new FileElsewhere({ blobKey, store });
}
