import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where packages are imported from here, in this order: those of `npm run clients:install`, then those of the root. */
const PACKAGES = [join(import.meta.dirname, 'node_modules'), join(import.meta.dirname, '../../node_modules')];

/**
 * The title under which the tests of a client stand: its name and the version that is installed. What is below such a
 * title is a row of `docs/clients.md`.
 */
export function clientTitle(name: string): string {
  const file = PACKAGES.map((folder) => join(folder, name, 'package.json')).find((path) => existsSync(path));
  if (file === undefined) throw new Error(`${name} is not installed: npm run clients:install`);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return `${name} ${version}`;
}
