import { MailServer } from './mail-server.js';
import { startPlatform } from './platform.js';
import type { Platform } from './platform.js';

/** A platform whose mails go to a mail server of its own. */
export class MailedPlatform {
  private constructor(
    readonly platform: Platform,
    readonly mails: MailServer,
    /** A token of the administrator of all. */
    readonly sysadmin: string,
  ) {}

  /** @param env start-up variables beside those of mails */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<MailedPlatform> {
    const mails = await MailServer.start();
    const platform = await startPlatform({ SMTP_URL: mails.url, PUBLIC_URL: 'https://ai.example.test', ...env });
    return new MailedPlatform(platform, mails, (await platform.login()).access_token);
  }

  async close(): Promise<void> {
    await this.platform.close();
    await this.mails.close();
  }
}
