import { runProcess } from './command.js';
import { restoreCommand } from './commands/restore.js';

await runProcess(restoreCommand);
