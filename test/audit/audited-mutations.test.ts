import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { expect, it } from '@jest/globals';

it('every mutation is recorded, or says here why it is not', () => {
  const schema = buildSchema(readFileSync('schema/platform.graphql', 'utf8'));
  const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
  const manual = readFileSync('docs/audit.md', 'utf8');
  const described = new Set([...manual.matchAll(/`([a-z_]*\.[a-z_]+)`/g)].map(([, action]) => action ?? ''));

  const actions = Object.values(RECORDED).flat();

  expect([...Object.keys(RECORDED), ...NOT_RECORDED].sort()).toEqual(mutations.sort());
  expect(actions.filter((action) => !described.has(action) && !described.has(action.replace(/^.*\./, '.')))).toEqual(
    [],
  );
});

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
