import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGES = join(import.meta.dirname, '../../node_modules');

/**
 * The title under which the tests of a client stand: its name and the version that is installed. What is below such a
 * title is a row of `docs/clients.md`.
 */
export function clientTitle(name: string): string {
  const { version } = JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8')) as { version: string };
  return `${name} ${version}`;
}
