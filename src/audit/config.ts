import { z } from 'zod';
import type { ConfigOf } from '../platform/config/config.js';
import { whole } from '../platform/config/variables.js';

/** The variables of the audit log. */
export const auditConfig = z
  .object({
    AUDIT_RETENTION_DAYS: whole(0, 36_500)
      .default(0)
      .describe('How long audit entries are kept; 0: for ever. A signed checkpoint takes the place of older ones.'),
  })
  .describe('Audit');

/** The settings of the audit log. */
export type AuditConfig = ConfigOf<typeof auditConfig>;
