import { globSync, readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { expect, it } from '@jest/globals';

it('every mutation is recorded, or says here why it is not', () => {
  const schema = buildSchema(readFileSync('schema/platform.graphql', 'utf8'));
  const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});

  expect([...Object.keys(RECORDED), ...NOT_RECORDED].sort()).toEqual(mutations.sort());
});

it('every action of a mutation is one that the code records', () => {
  const written = actionsOf(sourceText(), "'");

  expect(
    Object.values(RECORDED)
      .flat()
      .filter((action) => !written.has(action)),
  ).toEqual([]);
});

it('every action of the code is in the manual, and every one of the manual in the code', () => {
  const described = actionsOf(manualOfActions(), '`');
  const nouns = new Set([...described].map((action) => action.split('.')[0]));
  const written = actionsOf(sourceText(), "'");

  const missing = [...written].filter((action) => nouns.has(action.split('.')[0]) && !described.has(action));

  expect(missing.filter((action) => !NO_ACTIONS.includes(action))).toEqual([]);
  expect([...described].filter((action) => !written.has(action))).toEqual([]);
});

it('every action of a mutation is in the manual', () => {
  const described = actionsOf(manualOfActions(), '`');

  expect(
    Object.values(RECORDED)
      .flat()
      .filter((action) => !described.has(action)),
  ).toEqual([]);
});

/** Texts that look like actions. */
const NO_ACTIONS = ['session.user'];

/** Calls of models have the ledger; whoever begins a sign-in is not anybody yet; a trial of rules changes nothing. */
const NOT_RECORDED = [
  'continueResponse',
  'createChatCompletion',
  'createCompletion',
  'createEmbeddings',
  'createResponse',
  'startSso',
  'testSanitizerPolicy',
];

/** What each mutation records. */
const RECORDED: Readonly<Record<string, readonly string[]>> = {
  approveIdentityProvider: ['identity_provider.approve'],
  changePassword: ['password.change'],
  confirmRegistration: ['user.confirm'],
  createApiToken: ['api_token.create'],
  signAuditLog: ['audit_log.checkpoint'],
  createBackend: ['backend.create'],
  createIdentityProvider: ['identity_provider.create'],
  createSanitizerPolicy: ['sanitizer_policy.create'],
  createTenant: ['tenant.create'],
  deleteApiToken: ['api_token.delete'],
  deleteBackend: ['backend.delete'],
  deleteIdentityProvider: ['identity_provider.delete'],
  deleteJob: ['job.delete'],
  deleteSanitizerPolicy: ['sanitizer_policy.delete'],
  deleteTenant: ['tenant.delete'],
  deleteUser: ['user.delete'],
  endOtherSessions: ['session.end_others'],
  endSession: ['session.end'],
  endSessionsOfUser: ['user.end_sessions'],
  exchangeSsoCode: ['user.sign_in'],
  finishSso: ['user.sign_in'],
  inviteUser: ['user.invite'],
  login: ['user.sign_in'],
  logout: ['user.sign_out'],
  refresh: ['session.refresh'],
  register: ['user.register'],
  requestPasswordReset: ['password.request_reset'],
  resetPassword: ['password.reset'],
  retryJob: ['job.retry'],
  rotateApiToken: ['api_token.rotate'],
  setModelPolicy: ['model_policy.update'],
  setPassword: ['password.set'],
  setTenantQuota: ['tenant_quota.update'],
  setTenantSettings: ['tenant_settings.update'],
  ssoLogin: ['user.sign_in'],
  startDirectorySync: ['directory_sync.start'],
  testIdentityProvider: ['identity_provider.test'],
  updateBackend: ['backend.update'],
  updateIdentityProvider: ['identity_provider.update'],
  updateSanitizerPolicy: ['sanitizer_policy.update'],
  updateTenant: ['tenant.update'],
  updateUser: ['user.update'],
};

function sourceText(): string {
  return globSync('src/**/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

/** The table of actions alone: other parts of the manual name fields. */
function manualOfActions(): string {
  const [, table = ''] = /### Actions\n([^]*?)\n### /.exec(readFileSync('docs/audit.md', 'utf8')) ?? [];
  return table;
}

/** The nouns with a verb that stand between quotes. */
function actionsOf(text: string, quote: string): Set<string> {
  return new Set(
    [...text.matchAll(/(['`])([a-z_]+\.[a-z_]+)\1/g)].flatMap(([, by, action]) => (by === quote ? [action ?? ''] : [])),
  );
}
