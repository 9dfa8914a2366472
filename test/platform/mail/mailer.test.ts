import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import type { JsonObject } from '../../../src/platform/json/json-object.js';
import { SecretBox } from '../../../src/platform/crypto/secret-box.js';
import { Mailer } from '../../../src/platform/mail/mailer.js';
import { MailServer } from '../../support/servers/mail-server.js';
import { silentLog } from '../../support/probes/silent-log.js';
import { startPlatform } from '../../support/servers/platform.js';

const MAIL = { to: 'ann@example.test', subject: 'Grüße', text: '123456\n', html: '<p>123456</p>' };

describe('a mail', () => {
  let server: MailServer;
  let folder: string;

  beforeEach(async () => {
    server = await MailServer.start();
    folder = await mkdtemp(join(tmpdir(), 'mails-'));
  });
  afterEach(() => Promise.all([server.close(), rm(folder, { recursive: true })]));

  it('goes out with both of its bodies, and waits sealed', async () => {
    const { mailer, payloads } = mailerWith({ smtpUrl: server.url });

    await mailer.send(MAIL, 'usr_somebody');
    await mailer.deliver({ id: 'job_1', payload: payloads[0] as JsonObject });

    expect(server.mails).toHaveLength(1);
    expect(server.mails[0]).toMatchObject({
      subject: 'Grüße',
      text: expect.stringMatching(/^123456\s+$/),
      html: expect.stringContaining('<p>123456</p>'),
      messageId: '<job_1@ai.example.test>',
      from: { name: 'AI', address: 'no-reply@ai.example.test' },
      to: [{ address: 'ann@example.test' }],
    });
    expect(JSON.stringify(payloads)).not.toMatch(/123456|ann@/);
  });

  it('fails where the mail server does not take it, so that it is sent again', async () => {
    const { mailer, payloads } = mailerWith({ smtpUrl: server.url });
    server.refusals.push('mailbox full');

    await mailer.send(MAIL, 'usr_somebody');
    const payload = payloads[0] as JsonObject;

    await expect(mailer.deliver({ id: 'job_1', payload })).rejects.toThrow('mailbox full');
    await mailer.deliver({ id: 'job_1', payload });
    expect(server.mails).toHaveLength(1);
  });

  it('sends no password to another machine in plain text', async () => {
    const { mailer, payloads } = mailerWith({ smtpUrl: server.url.replace('127.0.0.1', 'user:secret@0.0.0.0') });

    await mailer.send(MAIL, 'usr_somebody');

    await expect(mailer.deliver({ id: 'job_1', payload: payloads[0] as JsonObject })).rejects.toThrow(/TLS/);
    expect(server.mails).toEqual([]);
  });

  it('is a file of its own where there is no mail server', async () => {
    const { mailer, payloads } = mailerWith({ folder: join(folder, 'mail') });

    await mailer.send(MAIL, 'usr_somebody');
    await mailer.deliver({ id: 'job_1', payload: payloads[0] as JsonObject });

    const file = join(folder, 'mail', 'job_1.eml');
    const { text, subject } = await PostalMime.parse(await readFile(file));
    expect(await readdir(join(folder, 'mail'))).toEqual(['job_1.eml']);
    expect([subject, text?.trim()]).toEqual(['Grüße', '123456']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('cannot be sent where there is neither', () => {
    const { mailer } = mailerWith({});

    expect(() => mailer.requireAvailable()).toThrow(
      expect.objectContaining({ status: 409, code: 'capability_not_supported' }),
    );
  });

  it('is refused as a setting that is none', async () => {
    await expect(startPlatform({ SMTP_URL: 'http://127.0.0.1' })).rejects.toThrow(/SMTP_URL/);
  });

  function mailerWith(settings: { smtpUrl?: string; folder?: string }) {
    const payloads: JsonObject[] = [];
    const jobs = { enqueue: async ({ payload }: { payload: JsonObject }) => String(payloads.push(payload)) };
    const secretBox = new SecretBox(randomBytes(32));
    const from = 'AI <no-reply@ai.example.test>';
    const { smtpUrl, folder: into } = settings;
    const mailer = new Mailer({ jobs, secretBox, from, smtpUrl, folder: into, log: silentLog });
    return { mailer, payloads };
  }
});
