import type { FindOptionsWhere, Repository } from 'typeorm';
import { ClientGone } from '../../errors.js';
import type { EventStream } from '../../graph/event-stream.js';
import { csvRows } from '../../platform/text/csv.js';
import { PERSONAL_COLUMNS } from '../../platform/audit/audit-record.entity.js';
import { commitmentOf, saltOf } from '../chain/entry-hash.js';
import type { HashedEntry } from '../chain/entry-hash.js';
import type { AuditEntryRow } from './audit-entry.entity.js';
import { toAuditEntry } from './audit-entry.types.js';
import type { AuditEntry, AuditParty } from './audit-entry.types.js';
import type { AuditExportFormat, AuditExportPart } from './audit-export.types.js';

const PAGE = 1_000;

const CSV_COLUMNS = [
  'id',
  'sequence',
  'tenant_id',
  'created_at',
  'action',
  'actor_type',
  'actor_id',
  'target_type',
  'target_id',
  'outcome',
  'reason',
  'ip',
  'user_agent',
  'request_id',
  'server_request_id',
  'hash',
  'previous_hash',
] as const;

/** Where entries are read, and what the reading of a page waits for. */
interface EntrySource {
  readonly rows: Repository<AuditEntryRow>;
  /** @param signal ends the waiting */
  inPlace<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T>;
}

/** Entries as a file, chain by chain, a page at a time: as much as its reader takes. */
export class AuditExport implements EventStream<AuditExportPart> {
  isWhole = false;
  private last = { chain: '', sequence: '0' };
  private hasBegun = false;
  private isOver = false;
  /** Aborted where nobody reads on. */
  private readonly ending = new AbortController();

  constructor(
    private readonly source: EntrySource,
    private readonly where: FindOptionsWhere<AuditEntryRow>,
    private readonly format: AuditExportFormat,
    private readonly signal: AbortSignal,
  ) {}

  batches(): AsyncIterableIterator<Uint8Array> {
    const batches: AsyncIterableIterator<Uint8Array> = {
      next: async () => {
        const text = await this.read();
        return text === undefined ? { value: undefined, done: true } : { value: Buffer.from(text), done: false };
      },
      return: async () => {
        this.end();
        return { value: undefined, done: true };
      },
      [Symbol.asyncIterator]: () => batches,
    };
    return batches;
  }

  async next(): Promise<IteratorResult<AuditExportPart>> {
    const text = await this.read();
    return text === undefined ? { value: undefined, done: true } : { value: { text }, done: false };
  }

  async return(): Promise<IteratorResult<AuditExportPart>> {
    this.end();
    return { value: undefined, done: true };
  }

  async throw(error: unknown): Promise<IteratorResult<AuditExportPart>> {
    this.end();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next lines; undefined: there are none. */
  private async read(): Promise<string | undefined> {
    if (this.isOver) return undefined;
    const head = this.hasBegun || this.format === 'ndjson' ? '' : csvRows([CSV_COLUMNS]);
    this.hasBegun = true;
    const signal = AbortSignal.any([this.signal, this.ending.signal]);
    const page = await this.source.inPlace(signal, () => this.readPage());
    const { chain, sequence } = page.at(-1) ?? {};
    if (chain !== undefined && sequence !== undefined) this.last = { chain, sequence };
    if (page.length < PAGE) {
      this.isOver = true;
      this.isWhole = true;
    }
    const lines = this.format === 'ndjson' ? page.map(toLine).join('') : csvOfEntries(page.map(toAuditEntry));
    return head + lines === '' ? undefined : head + lines;
  }

  /** What waits for its turn is left. */
  private end(): void {
    this.isOver = true;
    this.ending.abort(new ClientGone());
  }

  private readPage(): Promise<AuditEntryRow[]> {
    return this.source.rows
      .createQueryBuilder('entry')
      .where(this.where)
      .andWhere('(entry.chain, entry.sequence) > (:chain, :sequence)', this.last)
      .orderBy({ 'entry.chain': 'ASC', 'entry.sequence': 'ASC' })
      .take(PAGE)
      .getMany();
  }
}

/** With the salts of what is hashed as a commitment, so that anybody can verify it (docs/audit.md). */
function toLine(row: AuditEntryRow): string {
  const {
    sequence,
    tenantId,
    actor,
    target,
    userAgent,
    requestId,
    serverRequestId,
    previousHash,
    createdAt,
    ...entry
  } = toAuditEntry(row);
  const hashed = toHashedEntry(row);
  const commitments = PERSONAL_COLUMNS.map((column) => {
    const commitment = commitmentOf(hashed, column);
    const isErased = row.erased?.[column] !== undefined;
    const salt = commitment === null || isErased ? null : saltOf(hashed, column).toString('base64url');
    return [column, commitment === null ? null : { commitment, salt }];
  });
  const line = {
    id: entry.id,
    object: entry.object,
    sequence,
    tenant_id: tenantId,
    action: entry.action,
    actor: toParty(actor),
    target: target && toParty(target),
    outcome: entry.outcome,
    reason: entry.reason,
    ip: entry.ip,
    user_agent: userAgent,
    request_id: requestId,
    server_request_id: serverRequestId,
    hash: entry.hash,
    previous_hash: previousHash,
    created_at: createdAt.toISOString(),
    commitments: Object.fromEntries(commitments),
  };
  return `${JSON.stringify(line)}\n`;
}

/** As REST has it. */
function toParty({ type, subjectId: id }: AuditParty): { readonly type: string; readonly id: string | null } {
  return { type, id };
}

function toHashedEntry(row: AuditEntryRow): HashedEntry {
  return {
    chain: row.chain,
    id: row.id,
    action: row.action,
    actor_type: row.actorType,
    actor_id: row.actorId,
    target_type: row.targetType,
    target_id: row.targetId,
    outcome: row.outcome,
    reason: row.reason,
    ip: row.ip,
    user_agent: row.userAgent,
    request_id: row.requestId,
    server_request_id: row.serverRequestId,
    salts: row.salts,
    erased: row.erased,
    created_at: row.createdAt,
  };
}

function csvOfEntries(entries: readonly AuditEntry[]): string {
  const rows = entries.map((entry) => [
    entry.id,
    entry.sequence,
    entry.tenantId,
    entry.createdAt.toISOString(),
    entry.action,
    entry.actor.type,
    entry.actor.subjectId,
    entry.target?.type,
    entry.target?.subjectId,
    entry.outcome,
    entry.reason,
    entry.ip,
    entry.userAgent,
    entry.requestId,
    entry.serverRequestId,
    entry.hash,
    entry.previousHash,
  ]);
  return csvRows(rows);
}
