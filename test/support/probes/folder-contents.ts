import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Reads every file of a folder, one behind the other; nothing where there is none. */
export function folderContents(folder: string): Buffer {
  const files = globSync('**', { cwd: folder }).map((file) => join(folder, file));
  return Buffer.concat(files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file)));
}
