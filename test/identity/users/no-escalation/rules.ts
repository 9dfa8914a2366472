import type { Privilege } from '../../../../src/access/caller.js';
import { changesOf } from './snapshot.js';
import type { ProviderState, Snapshot, TenantState, UserState } from './snapshot.js';
import type { Step } from './steps.js';

/** What somebody may do by a token at a time; nobody in particular may do nothing. */
export interface Authority {
  readonly userId?: string;
  readonly tenantId?: string;
  /** Those that the token lets its holder use as an administrator. */
  readonly privileges: ReadonlySet<Privilege>;
}

/** A step that was not refused, and the state around it. */
export interface DoneStep {
  readonly step: Step;
  readonly authority: Authority;
  readonly before: Snapshot;
  readonly after: Snapshot;
}

/** What must not have happened, a sentence each. */
export function violationsOf(done: DoneStep): string[] {
  const { step, before, after } = done;
  const users = changesOf(before.users, after.users);
  const providers = changesOf(before.providers, after.providers);
  const tenants = changesOf(before.tenants, after.tenants);
  return [
    ...users.flatMap(([was, is]) => (step.signIn ? ofSignIn(done, was, is) : ofUser(done, was, is))),
    ...providers.flatMap(([was, is]) => ofProvider(done, was, is)),
    ...tenants.flatMap(([was, is]) => ofTenant(done, was, is)),
    ...ofEverybody(after),
  ];
}

function ofUser({ authority }: DoneStep, was: UserState | undefined, is: UserState | undefined): string[] {
  const { privileges } = authority;
  const held = was?.privileges ?? [];
  const gained = (is?.privileges ?? []).filter((privilege) => !held.includes(privilege));
  const linked = was?.providerId !== is?.providerId || was?.externalId !== is?.externalId;
  return [
    ...(is === undefined ? ['a user is gone'] : []),
    ...(privileges.has('admin') ? [] : ['somebody who is no administrator has changed a user']),
    ...gained.filter((one) => !holds(authority, one)).map((one) => `${one} was given by somebody without it`),
    ...held.filter((one) => !holds(authority, one)).map((one) => `somebody without ${one} has changed a user with it`),
    ...ofTenantOf(authority, was?.tenantId ?? is?.tenantId),
    ...(was && was.tenantId !== is?.tenantId ? ['a user has another tenant'] : []),
    ...(was && linked && !privileges.has('sysadmin') ? ['an account was linked by somebody who is no sysadmin'] : []),
    ...(!was && is?.providerId ? ['an account was made for a provider that has vouched for nobody'] : []),
  ];
}

/** By a proof, (provider, external id) is reached and nobody else, with what they had; who is new may do nothing. */
function ofSignIn({ step, before }: DoneStep, was: UserState | undefined, is: UserState | undefined): string[] {
  const provider = [...before.providers.values()].find(({ tid }) => tid === step.signIn?.tid);
  const isOwn = is !== undefined && is.providerId === provider?.id && is.externalId === step.signIn?.oid;
  const isSame = !was || (was.providerId === is?.providerId && was.externalId === is.externalId);
  const expected = was?.privileges ?? ['user'];
  return [
    ...(isOwn && isSame ? [] : ['a sign-in has changed the account of somebody else']),
    ...(provider?.approved && provider.enabled ? [] : ['somebody has signed in by a provider that is not active']),
    ...(is?.tenantId === provider?.tenantId ? [] : ['a sign-in has made an account in another tenant']),
    ...(is?.privileges.join() === expected.join() ? [] : ['a sign-in has changed privileges']),
    ...(was && was.status !== is?.status ? ['a sign-in has changed a status'] : []),
  ];
}

function ofProvider(
  { authority, step }: DoneStep,
  was: ProviderState | undefined,
  is: ProviderState | undefined,
): string[] {
  const { privileges } = authority;
  const isSysadmin = privileges.has('sysadmin');
  const isHarmless = Object.keys(step.body ?? {}).every((name) => name === 'name' || name === 'status');
  return [
    ...(privileges.has('admin') ? [] : ['somebody who is no administrator has changed a provider']),
    ...ofTenantOf(authority, was?.tenantId ?? is?.tenantId),
    ...(is?.approved && !was?.approved && !isSysadmin ? ['a provider was approved without a sysadmin'] : []),
    ...(is?.approved && !isHarmless && !isSysadmin ? ['an approved provider was changed without a sysadmin'] : []),
    ...(was && is && was.tenantId !== is.tenantId ? ['a provider has another tenant'] : []),
  ];
}

function ofTenant({ authority }: DoneStep, was: TenantState | undefined, is: TenantState | undefined): string[] {
  if (!was || !is) return ['a tenant was made or is gone'];
  if (authority.privileges.has('sysadmin')) return [];
  const isNarrower =
    is.domains.every((domain) => was.domains.includes(domain)) &&
    is.allowedPlans.every((plan) => was.allowedPlans.includes(plan)) &&
    (is.registrationOpen === was.registrationOpen || is.registrationOpen === false) &&
    (is.plan === was.plan || was.allowedPlans.includes(is.plan));
  return [
    ...(authority.privileges.has('admin') ? [] : ['somebody who is no administrator has changed a tenant']),
    ...ofTenantOf(authority, was.id),
    ...(isNarrower ? [] : ['an administrator has widened the settings of a tenant']),
  ];
}

function ofEverybody({ users, providers }: Snapshot): string[] {
  const identities = [...users.values()].flatMap(({ providerId, externalId }) =>
    providerId === null ? [] : [`${providerId} ${externalId}`],
  );
  const forbidden = [...providers.values()].some(({ settings }) =>
    settings.group_map?.some(({ privilege }) => privilege === 'sysadmin'),
  );
  return [
    ...(new Set(identities).size === identities.length ? [] : ['two accounts are one person of a provider']),
    ...(forbidden ? ['a group gives sysadmin'] : []),
    ...[...users.values()].flatMap(({ providerId, tenantId, passwordHash, email }) => [
      ...(providerId !== null && providers.get(providerId)?.tenantId !== tenantId
        ? [`${email} belongs to a provider of another tenant`]
        : []),
      ...(providerId !== null && passwordHash !== null ? [`${email} has a provider and a password`] : []),
    ]),
  ];
}

function ofTenantOf({ tenantId, privileges }: Authority, changed: string | undefined): string[] {
  return privileges.has('sysadmin') || changed === tenantId ? [] : ['something of another tenant was changed'];
}

/** Everybody has `user`. */
function holds({ privileges }: Authority, privilege: Privilege): boolean {
  return privilege === 'user' || privileges.has(privilege);
}
