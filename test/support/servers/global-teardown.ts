import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Removes the temporary folder that the global setup has given the run. */
export default function globalTeardown(): void {
  rmSync(tmpdir(), { recursive: true, force: true });
}
