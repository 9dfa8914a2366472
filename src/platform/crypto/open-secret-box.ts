import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { embeddedSecretKey } from '../database/data-folder.js';
import { Resealer } from './resealer.js';
import type { SealedColumn } from './sealed-column.js';
import { SecretBox } from './secret-box.js';
import { StoredKey } from './stored-key.entity.js';
import { wrongSecretKey } from './wrong-secret-key.js';

const PURPOSE = 'stored-key';
/** The name of the key that MACs are made with. */
const MAC_KEY = 'mac';
const KEY_BYTES = 32;

/** The settings that name the secret keys. */
interface SecretKeySettings {
  /** 32 bytes; undefined: the key in the data folder. */
  readonly secretKey?: Buffer;
  readonly secretKeyPrevious?: Buffer;
  readonly dataDir: string;
}

/** Where keys are stored that the secret key seals. */
export const sealedStoredKeys: SealedColumn = {
  table: 'stored_keys',
  key: 'name',
  column: 'key_sealed',
  purpose: PURPOSE,
  context: 'key',
};

/**
 * Opens the secret box of the installation with the keys of the configuration.
 * @param columns all that the box may have sealed
 * @throws ConfigError where neither key is the one that the database was set up with; OperationalError as
 * `embeddedSecretKey` does
 */
export async function openSecretBox(
  config: SecretKeySettings,
  dataSource: DataSource,
  columns: readonly SealedColumn[],
): Promise<SecretBox> {
  const secretKey = config.secretKey ?? (await embeddedSecretKey(config.dataDir));
  const previous = config.secretKeyPrevious;
  const secretBox = new SecretBox(secretKey, { previous });
  const mac = await readMacKey(secretBox, dataSource, columns);
  return new SecretBox(secretKey, { previous, mac });
}

/**
 * The key of MACs: made once, and never changed, so that what was stored under a MAC is found whichever secret key a
 * replica has.
 */
async function readMacKey(
  secretBox: SecretBox,
  dataSource: DataSource,
  columns: readonly SealedColumn[],
): Promise<Buffer> {
  const keys = dataSource.getRepository(StoredKey);
  let stored = await keys.findOneBy({ name: MAC_KEY });
  if (!stored) {
    // Sealed with a wrong key it would never open with the right one.
    await requireOpens(new Resealer({ dataSource, secretBox, columns }));
    const keySealed = secretBox.seal(PURPOSE, randomBytes(KEY_BYTES), MAC_KEY);
    // Of replicas that start together, one makes it.
    await keys.createQueryBuilder().insert().values({ name: MAC_KEY, keySealed }).orIgnore().execute();
    stored = await keys.findOneByOrFail({ name: MAC_KEY });
  }
  try {
    return secretBox.unseal(PURPOSE, stored.keySealed, MAC_KEY);
  } catch {
    throw wrongSecretKey();
  }
}

/** @throws ConfigError where something is sealed, and nothing of it opens */
async function requireOpens(resealer: Resealer): Promise<void> {
  const counts = await resealer.count();
  const values = counts.reduce((sum, column) => sum + column.values, 0);
  const unopened = counts.reduce((sum, column) => sum + column.unopened.length, 0);
  if (values > 0 && unopened === values) throw wrongSecretKey();
}
