import { existsSync } from 'node:fs';
import { describe, it } from '@jest/globals';

const isPostgres = Boolean(process.env.TEST_DATABASE_URL);
const always = { describe, it };
const never = { describe: describe.skip, it: it.skip };

/** The address of the Redis that tests may use; undefined where there is none. */
export const REDIS_URL: string | undefined = process.env.TEST_REDIS_URL;

/** What needs a server of PostgreSQL, such as several processes: the embedded database serves one. */
export const onPostgres = isPostgres ? always : never;

/** What needs a server of PostgreSQL that has no pgvector, and may seem to have one (`FakePgvector`). */
export const onPlainPostgres = isPostgres && process.env.TEST_VECTORS !== 'true' ? always : never;

/** What the embedded database alone has: there is none where the tests run on a server. */
export const onEmbedded = isPostgres ? never : always;

/** What needs vectors: the embedded database has them, a server where it is said (`TEST_VECTORS=true`). */
export const onVectors = !isPostgres || process.env.TEST_VECTORS === 'true' ? always : never;

/** The ways in which knowledge bases can be searched here. */
export const SEARCH_MODES: readonly string[] = ['hybrid', 'keyword', ...(onVectors === always ? ['vector'] : [])];

/** What needs a Redis. */
export const onRedis = REDIS_URL ? always : never;

/** What needs an OpenLDAP (Debian's `slapd`, `ldap-utils` and `openssl`). */
export const onSlapd = existsSync('/usr/sbin/slapd') ? always : never;

/** What needs several processes that share answers. */
export const onReplicas = isPostgres && REDIS_URL ? always : never;

/** What needs Debian's `espeak-ng`. */
export const onEspeak = existsSync('/usr/bin/espeak-ng') ? always : never;

/** What needs Debian's `pocketsphinx` and `pocketsphinx-en-us`. */
export const onPocketsphinx = existsSync('/usr/share/pocketsphinx/model/en-us/en-us.lm.bin') ? always : never;

/** Whether `ffmpeg` is installed. */
export const HAS_FFMPEG: boolean = existsSync('/usr/bin/ffmpeg');

/** What needs `ffmpeg`. */
export const onFfmpeg = HAS_FFMPEG ? always : never;

/** What needs Debian's `chromium-headless-shell`. */
export const onChromium = existsSync('/usr/bin/chromium-headless-shell') ? always : never;

/** What needs Debian's `apertium` and `apertium-eng-spa`. */
export const onApertium = existsSync('/usr/share/apertium/modes/eng-spa.mode') ? always : never;

/** What needs `pdftoppm` (Debian's `poppler-utils`) and `tesseract`. */
export const onScans = existsSync('/usr/bin/pdftoppm') && existsSync('/usr/bin/tesseract') ? always : never;

/** What needs Debian's `gettext`. */
export const onGettext = existsSync('/usr/bin/msgfmt') ? always : never;

/** What needs Debian's `python3-docx`. */
export const onPythonDocx = existsSync('/usr/lib/python3/dist-packages/docx') ? always : never;

/** What needs Debian's `python3-openpyxl`. */
export const onPythonOpenpyxl = existsSync('/usr/lib/python3/dist-packages/openpyxl') ? always : never;
