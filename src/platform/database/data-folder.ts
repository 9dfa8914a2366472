import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { OperationalError, systemCode } from '../operational-error.js';

/** The database's folder in a data folder. */
export const DATABASE = 'postgres';
/** Where it is made; it gets its name when it is whole, so that a start which is cut off leaves nothing in its place. */
export const DRAFT = 'postgres.new';

const KEY = 'secret.key';
const KEY_BYTES = 32;
const FIRST_PASSWORD = 'first-admin-password';
const CONTROL_BYTES = 8_192;
/** Below this a disk counts as full: a database that starts writes a piece of its log of 16 MiB. */
const LOW_BYTES = 32 * 1024 * 1024;
const OURS =
  /^(postgres|postgres\.new|blobs|scratch|mail|secret\.key|secret\.key\.new|first-admin-password|first-admin-password\.new|lock\..*|lost\+found|\..*)$/;

/**
 * Makes a data folder where there is none, and keeps it from everybody but its owner.
 * @throws OperationalError where it cannot be used
 */
export async function openDataFolder(folder: string): Promise<void> {
  await explained(folder, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found = await stat(folder);
    if (!found.isDirectory()) throw new OperationalError(`${folder} is not a folder. Set another DATA_DIR.`);
    if (!isOpenToOthers(found.mode)) return;
    // Such as / or /tmp: without their rights the machine itself would not work.
    const foreign = (await readdir(folder)).find((name) => !OURS.test(name));
    if (foreign !== undefined) {
      throw new OperationalError(
        `The data folder ${folder} is open to other users, and holds what is not the server's (${foreign}). ` +
          'Set DATA_DIR to a folder of its own, or take their rights away (chmod 700).',
      );
    }
    await takeRights(folder, 0o700);
  });
}

/**
 * Runs what uses a data folder, and tells what keeps it from working as one line.
 * @throws OperationalError for every system error
 */
export async function explained<T>(folder: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    const code = systemCode(error);
    if (error instanceof OperationalError || !/^E[A-Z]+$/.test(code)) throw error;
    throw new OperationalError(`The folder ${folder} cannot be used (${code}). ${ADVICE[code] ?? OTHER_ADVICE}`);
  }
}

const FULL = 'Its disk is full: make room and start again.';
const RIGHTS = 'Give it to the user that runs the server, or set another DATA_DIR.';
const NO_FOLDER = 'Something in its path is not a folder. Set another DATA_DIR.';
const OTHER_ADVICE = 'Mend it, or set another DATA_DIR.';
const ADVICE: Readonly<Record<string, string>> = {
  EACCES: RIGHTS,
  EPERM: RIGHTS,
  EDQUOT: FULL,
  ENOSPC: FULL,
  EROFS: 'It is read-only: make it writable, or set another DATA_DIR.',
  EEXIST: NO_FOLDER,
  ENOTDIR: NO_FOLDER,
};

/**
 * Whether a data folder has a database. What cannot be one is refused: the engine would make a new one in its place.
 * @throws OperationalError where it is damaged
 */
export async function hasDatabase(folder: string): Promise<boolean> {
  const path = join(folder, DATABASE);
  const names = await readdir(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });
  if (names.length === 0) return false;
  const version = await readFile(join(path, 'PG_VERSION'), 'latin1').catch(() => '');
  if (!/^\d+\n$/.test(version)) throw damaged(folder, 'PG_VERSION is missing or damaged');
  const control = await stat(join(path, 'global', 'pg_control')).catch(() => undefined);
  if (control?.size !== CONTROL_BYTES) throw damaged(folder, 'global/pg_control is missing or damaged');
  if (isOpenToOthers((await stat(path)).mode)) await takeRights(path, 0o700);
  return true;
}

/** The error for a database that does not start, by what is likely: a full disk, or damage. */
export async function explainFailedStart(folder: string, reason: string): Promise<OperationalError> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= LOW_BYTES) return damaged(folder, reason);
  return new OperationalError(`The embedded database in ${folder} does not start (${reason}). ${FULL}`);
}

function damaged(folder: string, reason: string): OperationalError {
  return new OperationalError(
    `The embedded database in ${folder} does not start (${reason}). Nothing was changed. Where that stays so it is ` +
      `damaged: restore a backup (npm run restore -- FILE --force), or move ${join(folder, DATABASE)} away to begin ` +
      'with an empty one.',
  );
}

/**
 * The installation's secret key where no SECRET_KEY is set: 32 bytes in the data folder, made at the first start.
 * @throws OperationalError where it is damaged, or cannot be made; it is never overwritten
 */
export function embeddedSecretKey(folder: string): Promise<Buffer> {
  return explained(folder, async () => {
    const path = join(folder, KEY);
    const key = await readFile(path).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return writeSecret(path, randomBytes(KEY_BYTES));
      throw error;
    });
    if (key.length !== KEY_BYTES) {
      throw new OperationalError(
        `${path} is damaged: it must have ${KEY_BYTES} bytes, and has ${key.length}. Put the right file back, as from a ` +
          'backup; without it nothing that is sealed in the database opens.',
      );
    }
    if (isOpenToOthers((await stat(path)).mode)) await takeRights(path, 0o600);
    return key;
  });
}

/**
 * Writes the password of the first administrator to a file that the server's user alone may read.
 * @returns the path of the file
 * @throws OperationalError where it cannot be written
 */
export async function writeFirstPassword(folder: string, password: string): Promise<string> {
  await openDataFolder(folder);
  const path = resolve(folder, FIRST_PASSWORD);
  await explained(folder, () => writeSecret(path, Buffer.from(`${password}\n`)));
  return path;
}

/** The file of `writeFirstPassword`, as long as nobody has deleted it. */
export function findFirstPassword(folder: string): string | undefined {
  const path = resolve(folder, FIRST_PASSWORD);
  return existsSync(path) ? path : undefined;
}

/** It gets its name when it is whole: half a key on a full disk would be taken for a damaged one. */
async function writeSecret(path: string, secret: Buffer): Promise<Buffer> {
  const draft = `${path}.new`;
  try {
    await rm(draft, { force: true });
    await writeFile(draft, secret, { flag: 'wx', mode: 0o600, flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return secret;
}

/** Systems without users tell rights that say nothing. */
function isOpenToOthers(mode: number): boolean {
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}

async function takeRights(path: string, mode: number): Promise<void> {
  await chmod(path, mode).catch(() => undefined);
  if (!isOpenToOthers((await stat(path)).mode)) return;
  throw new OperationalError(
    `${path} is open to other users, and its rights cannot be changed. Let its owner do that ` +
      `(chmod ${mode.toString(8)}), or set another DATA_DIR.`,
  );
}
