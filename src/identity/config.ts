import { z } from 'zod';
import type { ConfigOf } from '../platform/config/config.js';
import { list, url, whole } from '../platform/config/variables.js';

/** `key_<id>:<hex SHA-256 of the part after the dot>`. */
const SERVICE_KEY = /^key_[\w-]{1,64}:[0-9a-fA-F]{64}$/;
const serviceKeys = list
  .superRefine((entries, context) => {
    const ids = entries.map((entry) => entry.split(':')[0]);
    for (const [index, entry] of entries.entries()) {
      // The entry itself is not told: it may be a secret in the wrong place.
      const problem = !SERVICE_KEY.test(entry)
        ? 'must be key_<id>:<64 hex digits, the SHA-256 of the part after the dot>'
        : ids.indexOf(ids[index]) < index && 'has the id of another key';
      if (problem) context.addIssue({ code: 'custom', message: `key ${index + 1} ${problem}` });
    }
  })
  .transform((entries) =>
    entries.map((entry) => {
      const [id = '', secretHash = ''] = entry.split(':');
      return { id, secretHash: Buffer.from(secretHash, 'hex') };
    }),
  );

/** Who may sign in before anybody can be invited, which services may call, and how long keys sign. */
export const identityConfig = z
  .object({
    BOOTSTRAP_ADMIN_EMAIL: z
      .string()
      .default('admin@localhost')
      .describe(
        'The first administrator, created when there are no users. Without a password a random one is generated: shown once on a terminal, otherwise written to the file first-admin-password in DATA_DIR.',
      ),
    BOOTSTRAP_ADMIN_PASSWORD: z.string().min(12).max(256).optional(),
    SERVICE_KEYS: serviceKeys.default([]).describe(
      `Keys of services that call on nobody's behalf, separated by commas. A service sends \`Bearer key_<id>.<secret>\`, its secret at least 32 characters; here stands key_<id>:<hex SHA-256 of the secret>.
\`printf %s "$SECRET" | sha256sum\` gives the hash.`,
    ),
    PASSWORD_PAGE_URL: url('http:', 'https:')
      .refine((text) => !text.includes('#'), 'must not contain #: the parameters of the page follow it')
      .optional()
      .describe(
        `A page of your own on which people choose a password or confirm an address; not set: PUBLIC_URL/account.
Mails lead to it with #/password-reset?token=… or #/confirm?email=… (docs/operations.md, Pages for people).`,
      ),
    REFRESH_GRACE_SECONDS: whole(0, 60)
      .default(10)
      .describe(
        'How many seconds a used refresh token still returns the same new one, for two tabs and for retries after a lost response. A later reuse ends the session. 0: every reuse does.',
      ),
    SIGNING_KEY_DAYS: whole(1, 3_650).default(90).describe('After how many days a new key signs the tokens.'),
  })
  .describe('Identity');

/** The settings of identity. */
export type IdentityConfig = ConfigOf<typeof identityConfig>;
