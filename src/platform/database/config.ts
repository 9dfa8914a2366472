import { resolve } from 'node:path';
import { z } from 'zod';
import type { ConfigOf } from '../config/config.js';
import { url, whole } from '../config/variables.js';

/** 32 bytes as text. */
const secretKey = z.string().transform((text, context) => {
  const key = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
  if (key.length === 32) return key;
  const message = 'must be 32 bytes as 64 hex digits or as base64; make one with `openssl rand -hex 32`';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** Where everything is kept, and the key that seals secrets in it. */
export const databaseConfig = z
  .object({
    DATA_DIR: z
      .string()
      .transform((path) => resolve(path))
      .prefault('./data')
      .describe(
        'The data folder of the embedded database and of files; with DATABASE_URL files without S3_URL are kept there, and mails of a development server.',
      ),
    DATABASE_URL: url('postgres:', 'postgresql:')
      .optional()
      .describe('A PostgreSQL server instead of the embedded database: postgres://user:password@host:5432/name'),
    DATABASE_POOL_SIZE: whole(1, 1_000).default(10).describe('Connections to it.'),
    SECRET_KEY: secretKey.optional().describe(
      `32 bytes as 64 hex digits or base64; required with DATABASE_URL. \`openssl rand -hex 32\` makes one.
Embedded: made once in the data folder.`,
    ),
    SECRET_KEY_PREVIOUS: secretKey
      .optional()
      .describe(
        'The key before, while the secret key is being changed (docs/operations.md): it opens what it has sealed.',
      ),
  })
  .refine(({ SECRET_KEY: key, SECRET_KEY_PREVIOUS: previous }) => !key || !previous || !key.equals(previous), {
    path: ['SECRET_KEY_PREVIOUS'],
    message: 'is SECRET_KEY itself; leave it out unless the secret key is being changed',
  })
  .refine((variables) => !variables.DATABASE_URL || variables.SECRET_KEY, {
    path: ['SECRET_KEY'],
    message: 'required with DATABASE_URL; make one with `openssl rand -hex 32`',
  })
  .describe('Database');

/** The settings of the database. */
export type DatabaseConfig = ConfigOf<typeof databaseConfig>;
