import { runProcess } from './command.js';
import { backupCommand } from './commands/backup.js';

await runProcess(backupCommand);
