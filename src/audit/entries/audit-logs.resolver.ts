import { Arg, Args, Ctx, ID, Query, Resolver, Subscription } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { PageArgs } from '../../graph/connection.js';
import type { Connection } from '../../graph/connection.js';
import type { EventStream } from '../../graph/event-stream.js';
import { AuditEntry, AuditEntryConnection, AuditFilter } from './audit-entry.types.js';
import { AuditExportFormat, AuditExportPart } from './audit-export.types.js';
import type { AuditLogsService } from './audit-logs.service.js';

const read = { credential: 'bearer', scope: 'admin:read', privilege: 'admin' } as const;

/** The audit log, for administrators. */
@Resolver()
export class AuditLogsResolver {
  constructor(private readonly service: AuditLogsService) {}

  @Access(read)
  @Query(() => AuditEntryConnection, { description: 'The entries that the caller may read.' })
  auditLogs(
    @Args(() => AuditFilter) filter: AuditFilter,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<AuditEntry>> {
    return this.service.list(callerOf(context), filter, page, context.signal);
  }

  @Access(read)
  @Subscription(() => AuditExportPart, { topics: 'unused', description: 'All entries that fit, as a file.' })
  auditLogExport(
    @Arg('format', () => AuditExportFormat, { description: 'Of the file.' }) format: AuditExportFormat,
    @Args(() => AuditFilter) filter: AuditFilter,
    @Ctx() context: RequestContext,
  ): Promise<EventStream<AuditExportPart>> {
    return this.service.export(callerOf(context), filter, format, context.signal);
  }

  @Access(read)
  @Subscription(() => AuditEntry, { topics: 'unused', description: 'Entries as they are sealed, within a second.' })
  auditLogAdded(
    @Ctx() context: RequestContext,
    @Arg('tenantId', () => ID, { nullable: true, description: "A tenant's chain, or `platform`; for sysadmins." })
    tenantId?: string | null,
  ): Promise<AsyncIterable<AuditEntry>> {
    return this.service.watch(callerOf(context), tenantId);
  }
}
