import { ProviderStore } from '../../../src/identity/providers/provider-store.js';
import { SecretBox } from '../../../src/platform/crypto/secret-box.js';
import { databaseOf } from './command.js';
import { eventually } from '../probes/eventually.js';
import { startGateway } from './gateway.js';
import type { Gateway } from './gateway.js';
import { createTestDatabase } from './database.js';
import type { TestDatabase } from './database.js';
import { MailServer } from './mail-server.js';
import type { Platform } from './platform.js';
import { addRuntimeBackend } from './runtime-backend.js';

const BIND_PASSWORD = 'seven ravens in the bind';
const API_KEY = 'sk-of-the-added-server';
const MAIL = { to: 'ann@example.test', subject: 'Waiting', text: 'Hello', html: 'Hello' } as const;

/**
 * A server whose secret key is changed, with one of everything that it seals: a signing key, the key of MACs, a backend
 * with an API key, an identity provider with a password, and a mail that waits.
 */
export class SecretRotation {
  /** What the backend's server, the provider and the mail have been given. */
  static readonly opened = { credential: `Bearer ${API_KEY}`, password: BIND_PASSWORD, mail: MAIL.subject } as const;

  private constructor(
    readonly gateway: Gateway,
    private readonly mailServer: MailServer,
    private readonly secretKey: Buffer,
    private readonly backendId: string,
    private readonly providerId: string,
  ) {}

  /** @param createDatabase `createTestDatabaseFolder` where a process of its own opens the database, too */
  static async start(secretKey: Buffer, createDatabase = createTestDatabase): Promise<SecretRotation> {
    const mailServer = await MailServer.start();
    const gateway = await startGateway({
      env: { SECRET_KEY: secretKey.toString('hex'), SMTP_URL: mailServer.url },
      createDatabase,
    });
    const settings = { name: 'sealed', base_url: gateway.backend.url, api_key: API_KEY, models: [{ id: 'sealed' }] };
    const backend = await addRuntimeBackend(gateway.platform, gateway.token, settings);
    const directory = { kind: 'ldap', name: 'Directory', domains: ['directory.test'], base_dn: 'dc=test' };
    const bind = { url: 'ldap://127.0.0.1:15449', bind_dn: 'cn=reader', bind_password: BIND_PASSWORD };
    const provider = await gateway.post('/v1/admin/identity-providers', { ...directory, ...bind });
    if (backend.status !== 201 || provider.status !== 201) throw new Error(JSON.stringify([backend, provider]));
    mailServer.refusals.push(...Array<string>(1_000).fill('not yet'));
    await sendMail(gateway.platform);
    return new SecretRotation(gateway, mailServer, secretKey, backend.body.id, provider.body.id);
  }

  get platform(): Platform {
    return this.gateway.platform;
  }

  /** What a command needs to use the database with other keys. */
  withKeys(secretKey: Buffer, previous?: Buffer): Pick<TestDatabase, 'env' | 'startEmbedded'> {
    const { env, startEmbedded } = databaseOf(this.platform);
    const keys = { SECRET_KEY: secretKey.toString('hex'), SECRET_KEY_PREVIOUS: previous?.toString('hex') ?? '' };
    return { env: { ...env, ...keys }, startEmbedded };
  }

  /** The keys that servers start with from now on. */
  setKeys(secretKey: Buffer, secretKeyPrevious?: Buffer): void {
    Object.assign(this.platform.config, { secretKey, secretKeyPrevious });
  }

  async restartWith(secretKey: Buffer, previous?: Buffer): Promise<void> {
    this.setKeys(secretKey, previous);
    await this.platform.restart();
  }

  /** Adds mails that nobody sends for an hour. */
  async addWaitingMails(count: number): Promise<void> {
    const sealed = new SecretBox(this.secretKey).seal('mail', Buffer.from('{}')).toString('base64');
    await this.platform.query(
      `INSERT INTO jobs.job (name, data, start_after)
       SELECT 'mail', jsonb_build_object('payload', jsonb_build_object('sealed', $1::text)), now() + interval '1 hour'
       FROM generate_series(1, $2)`,
      [sealed, count],
    );
  }

  /** Uses all that was sealed, and tells what came of it. @param secretKey that alone opens the provider's password */
  async openAll(secretKey: Buffer): Promise<typeof SecretRotation.opened | Record<string, unknown>> {
    const { gateway, platform, mailServer } = this;
    await gateway.chat({ model: 'sealed' });
    const credential = gateway.backend.requests.at(-1)?.headers.authorization;
    const store = new ProviderStore(platform.app.database.dataSource, new SecretBox(secretKey));
    const { settings } = (await store.find(this.providerId)) ?? {};
    mailServer.refusals.length = 0;
    await platform.query("UPDATE jobs.job SET start_after = now() WHERE name = 'mail' AND state = 'retry'");
    const mail = await eventually('the mail has come', 20, () => mailServer.mails[0]?.subject);
    return { credential, password: settings && 'bind_password' in settings && settings.bind_password, mail };
  }

  /** Uses and changes what is sealed, again and again. @returns the statuses of all answers */
  async useAll(server: Platform, signal: AbortSignal): Promise<number[]> {
    const { token } = this.gateway;
    const statuses: number[] = [];
    const send = async (method: string, path: string, body?: object): Promise<void> => {
      statuses.push((await server.request(method, path, { token, body })).status);
    };
    while (!signal.aborted) {
      await sendMail(server);
      await send('GET', '/v1/auth/me');
      await send('POST', '/v1/chat/completions', { model: 'sealed', messages: [{ role: 'user', content: 'Hello' }] });
      await send('GET', '/v1/admin/backends');
      await send('PATCH', `/v1/admin/backends/${this.backendId}`, { timeout_seconds: 100 + statuses.length });
      await send('PATCH', `/v1/admin/identity-providers/${this.providerId}`, { base_dn: `dc=test${statuses.length}` });
    }
    return statuses;
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.mailServer.close();
  }
}

/** As a part of the server does it, which has signed the administrator in. */
async function sendMail(server: Platform): Promise<void> {
  const { user } = await server.login();
  await server.app.mailer.send(MAIL, user.id);
}
