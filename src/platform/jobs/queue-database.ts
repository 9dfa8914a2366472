import type { Db } from 'pg-boss';
import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '../database/postgres-errors.js';
import { isForStore } from './job-stores.js';
import type { FileStores } from './job-stores.js';
import { SharedClaims } from './shared-claims.js';

/** What the queue's library claims jobs with, and where another condition has its place in that. */
const CLAIM = /\bSET\s+state = 'active'/;
const CONDITION = 'AND NOT j.blocked';

interface QueueDatabaseParts {
  readonly db: Db;
  readonly blobs: FileStores;
  readonly log: Logger;
}

/**
 * Runs the statements of the queue's library. It lets this process claim those jobs alone whose files it can read, for which
 * the library has no option, and knows whether the database takes the statements.
 */
export class QueueDatabase implements Db {
  private readonly claims = new SharedClaims();
  private hasFailed = false;

  constructor(private readonly parts: QueueDatabaseParts) {}

  /** Whether the database did not take the last statement. */
  get isAway(): boolean {
    return this.hasFailed;
  }

  async executeSql(text: string, values: unknown[] = []): Promise<{ rows: unknown[] }> {
    const { db, log } = this.parts;
    try {
      const result = await (CLAIM.test(text) ? this.claim(text, values) : db.executeSql(text, values));
      if (this.hasFailed) log.info('the job queue goes on');
      this.hasFailed = false;
      return result;
    } catch (error) {
      const isUnavailable = isDatabaseUnavailable(error);
      if (isUnavailable && !this.hasFailed) log.warn({ err: error }, 'the job queue waits for the database');
      this.hasFailed ||= isUnavailable;
      throw error;
    }
  }

  private async claim(text: string, values: unknown[]): Promise<{ rows: unknown[] }> {
    const { db, blobs } = this.parts;
    const condition = isForStore('j.data', `$${values.length + 1}`);
    const filtered = text.replace(CONDITION, `${CONDITION} AND ${condition}`);
    if (filtered === text)
      throw new Error('This version of pg-boss is not supported: its statement for claiming jobs has changed.');
    const all = [...values, (await blobs.storeId()) ?? ''];
    const run = async () => (await db.executeSql(filtered, all)).rows;
    return { rows: await this.claims.claim(JSON.stringify([filtered, all]), run) };
  }
}
