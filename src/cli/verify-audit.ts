import { runProcess } from './command.js';
import { verifyAuditCommand } from './commands/verify-audit.js';

await runProcess(verifyAuditCommand);
