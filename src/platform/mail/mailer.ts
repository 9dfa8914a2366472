import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import { Conflict } from '../../errors.js';
import type { SecretBox } from '../crypto/secret-box.js';
import type { JobQueue } from '../jobs/job-queue.js';
import type { Job } from '../jobs/job.types.js';
import { sealedJobs } from '../jobs/sealed-jobs.js';
import { isLoopback } from '../net/loopback.js';

/** The kind of job that sends a mail. */
export const MAIL_JOB = 'mail';

const PURPOSE = 'mail';
/** Where mails wait. */
export const sealedMails = sealedJobs(MAIL_JOB, PURPOSE);
/** How long a mail server may take for each step. */
const TIMEOUT_MS = 10_000;

/** A mail to one person. */
export interface Mail {
  /** An address, without a name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface MailerParts {
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  readonly secretBox: SecretBox;
  readonly smtpUrl: string | undefined;
  readonly from: string;
  /** Where mails are written while there is no mail server; undefined: nowhere. */
  readonly folder: string | undefined;
  readonly log: Logger;
}

/**
 * Sends mails, each by a job of its own: it goes out after whatever needs it is committed, and again until the mail
 * server has taken it. What it says lies sealed in the database until then.
 */
export class Mailer {
  constructor(private readonly parts: MailerParts) {}

  /**
   * To be called before anything is done that needs a mail.
   * @throws Conflict `capability_not_supported` where mails cannot go out
   */
  requireAvailable(): void {
    const { smtpUrl, folder } = this.parts;
    if (smtpUrl !== undefined || folder !== undefined) return;
    throw new Conflict('capability_not_supported', 'This server cannot send mails: its operator has not set SMTP_URL.');
  }

  /**
   * Sends a mail, soon.
   * @param userId whose account it is about
   * @param tx the mail goes out when it is committed, and not before
   */
  async send(mail: Mail, userId: string, tx?: EntityManager): Promise<void> {
    const { jobs, secretBox } = this.parts;
    const sealed = secretBox.seal(PURPOSE, Buffer.from(JSON.stringify(mail))).toString('base64');
    await jobs.enqueue({ kind: MAIL_JOB, payload: { sealed }, about: userId }, tx);
  }

  /** Does the job of a mail. @throws Error where the mail server does not take it */
  readonly deliver = async ({ id, payload }: Pick<Job, 'id' | 'payload'>): Promise<void> => {
    const { secretBox, smtpUrl, from } = this.parts;
    const opened = secretBox.unseal(PURPOSE, Buffer.from(String(payload.sealed), 'base64')).toString('utf8');
    // The same id each time, so that a mail that was sent twice is one for its reader.
    const message = { from, ...(JSON.parse(opened) as Mail), messageId: `<${id}@${domainOf(from)}>` };
    if (smtpUrl === undefined) return this.write(id, message);
    const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
    const { username, hostname } = new URL(smtpUrl);
    // The password does not travel in plain text.
    const requireTLS = username !== '' && !isLoopback(hostname);
    const closed = { disableFileAccess: true, disableUrlAccess: true };
    const transport = createTransport({ url: smtpUrl, requireTLS, ...timeouts, ...closed });
    try {
      await transport.sendMail(message);
    } finally {
      transport.close();
    }
  };

  private async write(id: string, message: object): Promise<void> {
    const { folder, log } = this.parts;
    this.requireAvailable();
    const { message: bytes } = await createTransport({ streamTransport: true, buffer: true }).sendMail(message);
    const file = join(folder as string, `${id}.eml`);
    await mkdir(folder as string, { recursive: true, mode: 0o700 });
    await writeFile(file, bytes as Buffer, { mode: 0o600 });
    log.info({ file }, 'a mail was written to a file, since there is no SMTP_URL');
  }
}

function domainOf(from: string): string {
  return /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost';
}
