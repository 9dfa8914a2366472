import { ConfirmationCode } from '../../../src/identity/registration/confirmation-code.entity.js';
import { PasswordTokens } from '../../../src/identity/passwords/password-tokens.js';
import { PASSWORD } from '../../support/builders/accounts.js';
import { TID } from '../../support/servers/sso-issuer.js';
import { signProxy } from '../../support/servers/sso-proxy.js';
import type { World } from './world.js';

/** What is sent beside ids: the fields of an operation by their REST names. */
export type Values = Readonly<Record<string, unknown>>;

const HOUR_MS = 60 * 60 * 1_000;
const NEW_PASSWORD = 'twelve copper spoons in a row';

/**
 * What operations are sent in place of the first example of their documents: what must be new each time, and what must
 * be there. By the name of the REST document; `id` is the name of the id that is tried, if one is.
 */
export const INPUTS: Readonly<Record<string, (world: World, id?: string) => Values | Promise<Values>>> = {
  Login: (world) => ({ email: world.user('own').email, password: PASSWORD }),
  RefreshTokens: async (world) => ({ refresh_token: await world.newRefreshToken() }),
  ChangePassword: () => ({ current_password: PASSWORD, new_password: NEW_PASSWORD }),
  RequestPasswordReset: (world) => ({ email: newEmail(world) }),
  ResetPassword: async (world) => ({ token: await newPasswordToken(world), new_password: NEW_PASSWORD }),
  SetPassword: (world, id) => ({ new_password: NEW_PASSWORD, ...(!id && { email: world.user('own').email }) }),
  Register: (world) => ({ email: newEmail(world), password: NEW_PASSWORD, name: 'Ada' }),
  ConfirmRegistration: newConfirmation,
  SsoLogin: (world) => ({ oid: world.bed.newName(), tid: TID, upn: newEmail(world) }),
  CreateIdentityProvider: (world) => ({
    kind: 'ldap',
    name: 'Directory',
    domains: [`${world.bed.newName()}.example`],
    url: 'ldaps://directory.example.com',
    base_dn: 'dc=example',
  }),
  SetTenantSettings: () => ({ allowed_domains: [], allowed_plans: [] }),
  InviteUser: (world) => ({ email: newEmail(world), name: 'Grace' }),
  UpdateUser: (world, id) => (id === 'id' ? { name: 'Grace' } : { external_id: world.bed.newName() }),
  CreateBackend: (world) => ({
    name: world.bed.newName(),
    base_url: 'http://127.0.0.1:1024/v1',
    models: [{ id: 'company-coder' }],
  }),
  // It is sent to the graph as it is to REST, and the names of rules differ.
  CreateSanitizerPolicy: () => ({ name: 'Addresses', rules: [{ kind: 'email', action: 'mask' }], enabled: false }),
  // What is in the target language already needs no engine, of which each machine has others.
  TranslateText: () => ({ text: 'Hello.', source_language: 'en', target_language: 'en' }),
  TranslateTextStream: () => ({ text: 'Hello.', source_language: 'en', target_language: 'en', stream: true }),
};

/** The headers that operations need beside their values. */
export const HEADERS: Readonly<Record<string, (values: Values) => Readonly<Record<string, string>>>> = {
  SsoLogin: (values) => signProxy(values as never),
};

function newEmail(world: World): string {
  return `${world.bed.newName()}@people.test`;
}

function newPasswordToken(world: World): Promise<string> {
  const { dataSource } = world.bed.platform.app.database;
  return new PasswordTokens(dataSource).issue(dataSource.manager, world.user('own').id, HOUR_MS);
}

async function newConfirmation(world: World): Promise<Values> {
  const code = '204816';
  const soon = new Date(Date.now() + HOUR_MS);
  const { id: userId, email } = await world.addUser({ confirmed: false, confirmBefore: soon });
  const codeHash = world.bed.hashOfCode(userId, code);
  const row = { userId, codeHash, triesLeft: 5, networkHash: codeHash, isContested: false, expiresAt: soon };
  await world.bed.platform.app.database.dataSource.getRepository(ConfirmationCode).insert(row);
  return { email, code };
}
