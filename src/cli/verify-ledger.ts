import { runProcess } from './command.js';
import { verifyLedgerCommand } from './commands/verify-ledger.js';

await runProcess(verifyLedgerCommand);
