import { runProcess } from './command.js';
import { adminCommand } from './commands/admin.js';

await runProcess(adminCommand);
