import { runProcess } from './command.js';
import { rotateSecretKeyCommand } from './commands/rotate-secret-key.js';

await runProcess(rotateSecretKeyCommand);
