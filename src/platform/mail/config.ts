import { z } from 'zod';
import type { ConfigOf } from '../config/config.js';
import { url } from '../config/variables.js';

/** How mails go out. */
export const mailConfig = z
  .object({
    SMTP_URL: url('smtp:', 'smtps:')
      .optional()
      .describe(
        `The mail server: smtp://user:password@host:587 (STARTTLS where the server offers it) or smtps://…:465.
Not set: in development each mail is a file in DATA_DIR/mail; in production whatever needs a mail is refused.`,
      ),
    MAIL_FROM: z
      .string()
      .regex(/^[^\r\n]+$/, 'must be one line')
      .default('no-reply@localhost')
      .describe('The sender.'),
  })
  .describe('Mail');

/** The settings of mail. */
export type MailConfig = ConfigOf<typeof mailConfig>;
