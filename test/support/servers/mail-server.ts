import { once } from 'node:events';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { eventually } from '../probes/eventually.js';

/** A real SMTP server on this machine, and the mails that it has taken. */
export class MailServer {
  readonly mails: Email[] = [];
  /** What it says to the next mails in place of taking them. */
  readonly refusals: string[] = [];
  private readonly server: SMTPServer;

  private constructor() {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, _session, callback) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => void this.take(Buffer.concat(chunks), callback));
      },
    });
  }

  static async start(): Promise<MailServer> {
    const mailServer = new MailServer();
    mailServer.server.listen(0, '127.0.0.1');
    await once(mailServer.server.server, 'listening');
    return mailServer;
  }

  /** For SMTP_URL. */
  get url(): string {
    return `smtp://127.0.0.1:${(this.server.server.address() as { port: number }).port}`;
  }

  /** Waits for a mail to an address, and takes it away. */
  next(to: string): Promise<Email> {
    return eventually(`a mail to ${to}`, 10, () => {
      const index = this.mails.findIndex((mail) => mail.to?.some(({ address }) => address === to));
      return index < 0 ? undefined : this.mails.splice(index, 1)[0];
    });
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(resolve));
  }

  private async take(message: Buffer, callback: (error?: Error | null) => void): Promise<void> {
    const refusal = this.refusals.shift();
    if (refusal !== undefined) return callback(new Error(refusal));
    this.mails.push(await PostalMime.parse(message));
    callback();
  }
}

/** The six digits of a mail, alone on a line of its plain text. */
export function codeOf({ text = '' }: Email): string {
  return /^(\d{6})\r?$/m.exec(text)?.[1] ?? `no code in: ${text}`;
}

/** The token of the link of a mail. */
export function tokenOf({ text = '' }: Email): string {
  return /[?]token=([\w-]{43})\s/.exec(text)?.[1] ?? `no token in: ${text}`;
}

/** The link of a mail, alone on a line of its plain text. */
export function linkOf({ text = '' }: Email): string {
  return /^(https?:\S+)\s*$/m.exec(text)?.[1] ?? `no link in: ${text}`;
}
