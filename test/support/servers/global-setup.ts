import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Makes the template that the test databases are copies of, in a process of its own:
 * jest does not transform what its global setup imports, and the entities have decorators.
 */
export default function globalSetup(): void {
  const script = fileURLToPath(new URL('./global-setup-template.js', import.meta.url));
  execFileSync(process.execPath, ['--import', 'tsx', script], { stdio: 'inherit' });
}
