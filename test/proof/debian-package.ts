import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Downloads a package of Debian and unpacks it, for whoever runs this, not only for root.
 * @param folder where it is put; empty
 * @returns its version; its files lie in the folder as they would in `/`
 * @throws Error that says what is missing
 */
export async function fetchPackage(name: string, folder: string): Promise<string> {
  try {
    await run('apt-get', ['download', name], { cwd: folder });
    const [file = ''] = (await readdir(folder)).filter((one) => one.endsWith('.deb'));
    const { stdout } = await run('dpkg-deb', ['--field', file, 'Version'], { cwd: folder });
    await run('dpkg-deb', ['--extract', join(folder, file), folder], { cwd: folder });
    return stdout.trim();
  } catch (error) {
    throw new Error(
      `This proof needs the package ${name}, from a Debian 12 with a fresh list of packages (apt-get update): ${String(error)}`,
      { cause: error },
    );
  }
}
