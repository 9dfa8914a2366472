import { adminCommand } from '../../../src/cli/commands/admin.js';
import { backupCommand } from '../../../src/cli/commands/backup.js';
import { restoreCommand } from '../../../src/cli/commands/restore.js';
import { rotateSecretKeyCommand } from '../../../src/cli/commands/rotate-secret-key.js';
import { verifyAuditCommand } from '../../../src/cli/commands/verify-audit.js';
import { verifyLedgerCommand } from '../../../src/cli/commands/verify-ledger.js';

/** The commands beside the server, by the names that npm runs them by. */
export const COMMANDS = {
  admin: adminCommand,
  backup: backupCommand,
  restore: restoreCommand,
  'rotate-secret-key': rotateSecretKeyCommand,
  'audit:verify': verifyAuditCommand,
  'ledger:verify': verifyLedgerCommand,
} as const;

/** One of them. */
export type CommandName = keyof typeof COMMANDS;
