import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import type { AuditVerificationService } from './audit-verification.service.js';
import { AuditCheckpointFile, AuditVerification } from './audit-verification.types.js';

const read = { credential: 'bearer', scope: 'admin:read', privilege: 'admin' } as const;

/** The proof that nothing was changed in the audit log. */
@Resolver()
export class AuditVerificationResolver {
  constructor(private readonly service: AuditVerificationService) {}

  @Access(read)
  @Query(() => AuditVerification, { description: 'Verify the audit log, all that the caller may read or one chain.' })
  auditVerification(
    @Ctx() context: RequestContext,
    @Arg('tenantId', () => ID, { nullable: true, description: "A tenant's chain, or `platform`; for sysadmins." })
    tenantId?: string | null,
    @Arg('checkpoint', () => String, { nullable: true, description: 'The token of one that was kept: from there on.' })
    checkpoint?: string | null,
  ): Promise<AuditVerification> {
    return this.service.verify(callerOf(context), { tenantId, checkpoint }, context.signal);
  }

  @Access(read)
  @Mutation(() => AuditCheckpointFile, { description: 'Sign where a chain ends now, for an auditor to keep.' })
  signAuditLog(
    @Ctx() context: RequestContext,
    @Arg('tenantId', () => ID, { nullable: true, description: "A tenant's chain, or `platform`; for sysadmins." })
    tenantId?: string | null,
  ): Promise<AuditCheckpointFile> {
    return this.service.sign(callerOf(context), tenantId);
  }
}
