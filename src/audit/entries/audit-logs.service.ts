import { And, LessThan, MoreThanOrEqual } from 'typeorm';
import type { FindManyOptions, FindOptionsWhere } from 'typeorm';
import { actorOf } from '../../access/audit-actor.js';
import type { Caller } from '../../access/caller.js';
import type { Connection, PageArgs } from '../../graph/connection.js';
import { readTablePage } from '../../graph/table-page.js';
import type { EventStream } from '../../graph/event-stream.js';
import type { TenantDirectory } from '../../identity/domain.js';
import { EventIterator } from '../../platform/async/event-iterator.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { Database } from '../../platform/database/database.js';
import type { Topics } from '../../platform/cluster/topics.js';
import type { SealedEntry } from '../chain/sealer.js';
import { AuditExport } from './audit-export.js';
import type { AuditExportFormat, AuditExportPart } from './audit-export.types.js';
import { AuditEntryRow, tenantOfChain } from './audit-entry.entity.js';
import { toAuditEntry } from './audit-entry.types.js';
import type { AuditEntry, AuditFilter } from './audit-entry.types.js';
import { chainToRead } from './audit-scope.js';
import { SealedEntryReader } from './sealed-entry-reader.js';
import type { SealedSequence } from './sealed-entry-reader.js';

/** The topic of which it is told what has been sealed. */
export const SEALED_TOPIC = 'audit-sealed';

/** How many entries wait for somebody who watches: some thousand may be sealed at once. */
const WAITING_ENTRIES = 10_000;

interface AuditLogsParts {
  readonly database: Pick<Database, 'dataSource' | 'longReads'>;
  readonly audit: AuditRecorder;
  readonly topics: Topics;
  readonly tenants: Pick<TenantDirectory, 'exists'>;
}

/** Shows administrators the audit log of their tenant, and sysadmins all of it. That it was read is an entry, too. */
export class AuditLogsService {
  constructor(private readonly parts: AuditLogsParts) {}

  /**
   * A page of the entries that fit.
   * @throws Forbidden, NotFound for the chains of others; RateLimited, Unavailable where too many large queries are under
   * way; the reason of the signal
   */
  async list(
    caller: Caller,
    filter: AuditFilter,
    page: PageArgs,
    signal: AbortSignal,
  ): Promise<Connection<AuditEntry>> {
    const chain = await chainToRead(this.parts.tenants, caller, filter.tenantId);
    const { longReads } = this.parts.database;
    const find = (options?: FindManyOptions<AuditEntryRow>) =>
      longReads.run({ ...caller, signal }, () => this.rows.find(options));
    const connection = await readTablePage(page, { find }, toCondition(chain, filter), (row) => row);
    await this.recordRead(caller, chain, 'audit_log.read');
    return {
      ...connection,
      edges: connection.edges.map(({ cursor, node }) => ({ cursor, node: toAuditEntry(node) })),
    };
  }

  /** All entries that fit, chain by chain, in their order. @throws as `list` does */
  async export(
    caller: Caller,
    filter: AuditFilter,
    format: AuditExportFormat,
    signal: AbortSignal,
  ): Promise<EventStream<AuditExportPart>> {
    const chain = await chainToRead(this.parts.tenants, caller, filter.tenantId);
    await this.recordRead(caller, chain, 'audit_log.export');
    const { longReads } = this.parts.database;
    // Its head is sent already when most of it is read: it waits, and is not cut off.
    const inPlace = <T>(left: AbortSignal, read: () => Promise<T>) =>
      longReads.run({ ...caller, signal: left, isPatient: true }, read);
    return new AuditExport({ rows: this.rows, inPlace }, toCondition(chain, filter), format, signal);
  }

  /** Entries as they are sealed. @throws as `list` does */
  async watch(caller: Caller, tenantId: string | null | undefined): Promise<AsyncIterable<AuditEntry>> {
    const chain = await chainToRead(this.parts.tenants, caller, tenantId);
    await this.recordRead(caller, chain, 'audit_log.watch');
    const reader = new SealedEntryReader(this.rows);
    return new EventIterator<SealedSequence, AuditEntry>({
      capacity: WAITING_ENTRIES,
      listen: (push) =>
        this.parts.topics.subscribe(SEALED_TOPIC, (message) => {
          const ranges = message as readonly SealedRange[];
          for (const range of ranges) {
            if (chain !== undefined && chain !== range.chain) continue;
            for (let sequence = range.first; sequence <= range.last; sequence += 1) {
              push({ chain: range.chain, sequence, last: range.last });
            }
          }
        }),
      read: async (sealed) => {
        const row = await reader.read(sealed);
        return row ? toAuditEntry(row) : undefined;
      },
    });
  }

  private get rows() {
    return this.parts.database.dataSource.getRepository(AuditEntryRow);
  }

  private recordRead(caller: Caller, chain: string | undefined, action: `audit_log.${string}`): Promise<void> {
    return this.parts.audit.recordAlone(actorOf(caller), { tenantId: tenantOfChain(chain), action });
  }
}

/** Entries of a chain that were sealed together. */
export interface SealedRange {
  readonly chain: string;
  readonly first: number;
  readonly last: number;
}

/** What has been sealed, chain by chain. */
export function toRanges(entries: readonly SealedEntry[]): SealedRange[] {
  const ranges = new Map<string, SealedRange>();
  for (const { chain, sequence } of entries) {
    ranges.set(chain, { chain, first: ranges.get(chain)?.first ?? sequence, last: sequence });
  }
  return [...ranges.values()];
}

function toCondition(chain: string | undefined, filter: AuditFilter): FindOptionsWhere<AuditEntryRow> {
  const { actor, action, target, outcome, from, to } = filter;
  const times = [...(from ? [MoreThanOrEqual(from)] : []), ...(to ? [LessThan(to)] : [])];
  return {
    ...(chain !== undefined && { chain }),
    ...(actor != null && { actorId: actor }),
    ...(action != null && { action }),
    ...(target != null && { targetId: target }),
    ...(outcome != null && { outcome }),
    ...(times.length > 0 && { createdAt: And(...times) }),
  };
}
