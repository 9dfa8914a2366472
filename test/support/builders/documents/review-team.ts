import { addSignedInUser } from '../accounts.js';
import type { SignedInUser } from '../accounts.js';
import type { AnyJson } from '../../probes/any-json.js';
import { auditRows } from '../../probes/audit-rows.js';
import type { AuditRow } from '../../probes/audit-rows.js';
import { DocumentProbe } from '../documents.js';
import { startPlatform } from '../../servers/platform.js';
import type { Platform } from '../../servers/platform.js';

/** An item of a review as it is stored. */
export interface ItemRow {
  readonly id: string;
  readonly status: string;
  readonly value: unknown;
  readonly version: number;
  /** Who has resolved it. */
  readonly by: string;
  readonly claimed: boolean;
}

/** People of one tenant who review at two replicas: every other one asks the second. */
export class ReviewTeam {
  private constructor(
    readonly platform: Platform,
    private readonly replica: Platform,
    readonly users: readonly SignedInUser[],
  ) {}

  static async start(size: number): Promise<ReviewTeam> {
    const platform = await startPlatform();
    const replica = await platform.startReplica();
    const users = await Promise.all(Array.from({ length: size }, () => addSignedInUser(platform)));
    return new ReviewTeam(platform, replica, users);
  }

  async close(): Promise<void> {
    await this.replica.close();
    await this.platform.close();
  }

  /** Sessions of the first user whose documents are read, each with so many items of each document. */
  async open(fields: number, documents: number, count = 1): Promise<[DocumentProbe, ...DocumentProbe[]]> {
    const body = { schema: fieldsToReview(fields) };
    const files = Object.fromEntries(Array.from({ length: documents }, (_, at) => [`${at}.txt`, `No. ${at}`]));
    const token = this.users[0]?.token ?? '';
    const sessions = await Promise.all(
      Array.from({ length: count }, () => DocumentProbe.create(this.platform, token, body)),
    );
    const sent = await Promise.all(sessions.map((session) => session.send(files)));
    for (const [at, session] of sessions.entries()) {
      for (const { id } of sent[at]?.body.data ?? []) await session.settled(id);
    }
    return sessions as [DocumentProbe, ...DocumentProbe[]];
  }

  /** A session as one of them sees it. */
  seenBy(at: number, session: DocumentProbe): DocumentProbe {
    return session.as(this.users[at]?.token ?? '', at % 2 === 0 ? this.platform : this.replica);
  }

  items({ id }: DocumentProbe): Promise<ItemRow[]> {
    const sql = `
      SELECT id, status, value, version, resolved_by AS by, claimed_by IS NOT NULL AS claimed
      FROM document_values WHERE session_id = $1 ORDER BY id`;
    return this.platform.query(sql, [id]);
  }

  /** What the audit log says of items. */
  entriesOf(items: readonly ItemRow[]): Promise<AuditRow[]> {
    const ids = items.map(({ id }) => id);
    return auditRows(this.platform, "target_type = 'review_item' AND target_id = ANY($1)", [ids]);
  }

  /** How often the audit log says that a session is completed. */
  async completionsOf({ id }: DocumentProbe): Promise<number> {
    const condition = "action = 'document_session.complete' AND target_id = $1";
    return (await auditRows(this.platform, condition, [id])).length;
  }

  /** Ends the lease of an item. */
  async lapse(id: string): Promise<void> {
    const sql = "UPDATE document_values SET claimed_until = now() - interval '1 second' WHERE id = $1";
    await this.platform.query(sql, [id]);
  }
}

/** Claims items. @returns their ids */
export async function claim(session: DocumentProbe, limit: number): Promise<string[]> {
  const { body } = await session.request('POST', '/review/claim', { limit });
  return body.data.map(({ id }: AnyJson) => id as string);
}

/** Fields that no document has: each is an item that waits. */
function fieldsToReview(count: number) {
  const names = Array.from({ length: count }, (_, at) => `unknown_${at}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { type: 'object', required: names, properties };
}
