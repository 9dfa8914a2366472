import { once } from 'node:events';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

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
