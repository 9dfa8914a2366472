import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { connectionType } from '../../graph/connection.js';
import type { IdentityProvider } from './identity-provider.entity.js';
import type { LdapSettings, ProviderKind, SsoSettings } from './provider-settings.js';
import type { OpenedProvider } from './provider-store.js';

/** The kinds of identity providers. */
export const IdentityProviderKind = { ldap: 'ldap', sso: 'sso' } as const satisfies Record<ProviderKind, ProviderKind>;

registerEnumType(IdentityProviderKind, {
  name: 'IdentityProviderKind',
  description: 'How an identity provider tells who people are.',
  valuesConfig: {
    ldap: { description: 'A directory that checks passwords.' },
    sso: { description: 'An issuer of signed proofs (OpenID Connect).' },
  },
});

/** How identity providers stand. */
export const IdentityProviderStatus = { pending: 'pending', active: 'active', disabled: 'disabled' } as const;
/** One of these. */
export type IdentityProviderStatus = keyof typeof IdentityProviderStatus;

registerEnumType(IdentityProviderStatus, {
  name: 'IdentityProviderStatus',
  description: 'Whether people may sign in by an identity provider.',
  valuesConfig: {
    pending: { description: 'Not before a sysadmin has approved it.' },
    active: { description: 'They may.' },
    disabled: { description: 'They may not.' },
  },
});

/** A group of a directory and what its members may do. */
@ObjectType({ simpleResolvers: true, description: 'A group of a directory and what its members may do.' })
@InputType('GroupPrivilegeInput', { description: 'A group of a directory and what its members may do.' })
export class GroupPrivilege {
  @Field(() => String, { description: 'Its distinguished name, or its `cn`.' })
  group!: string;

  @Field(() => String, { description: '`user`, or `admin` of the own tenant.' })
  privilege!: string;
}

/** Who tells who people are. Its secrets are never shown. */
@ObjectType('IdentityProvider', { simpleResolvers: true, description: 'Who tells who people are.' })
export class IdentityProviderView {
  @Field(() => ID, { description: 'Begins with `dir_`.' })
  id!: string;

  @Field(() => String, { description: 'Always `identity_provider`.' })
  readonly object = 'identity_provider';

  @Field(() => ID, { description: 'The tenant that its people belong to.' })
  tenantId!: string;

  @Field(() => IdentityProviderKind, { description: 'How it tells who people are.' })
  kind!: ProviderKind;

  @Field(() => String, { description: 'What people call it.' })
  name!: string;

  @Field(() => IdentityProviderStatus, { description: 'Whether people may sign in by it.' })
  status!: IdentityProviderStatus;

  @Field(() => [String], { description: 'The domains of the addresses whose people it knows.' })
  domains!: string[];

  @Field(() => String, { nullable: true, description: 'Directory: where it is, `ldaps://…` or `ldap://…`.' })
  url?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Directory: whether TLS begins after the connection.' })
  startTls?: boolean | null;

  @Field(() => String, { nullable: true, description: 'Directory: the certificates that it is trusted by, in PEM.' })
  ca?: string | null;

  @Field(() => String, { nullable: true, description: 'Directory: who searches in it.' })
  bindDn?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Directory: whether a password is set; it is never shown.' })
  hasBindPassword?: boolean | null;

  @Field(() => String, { nullable: true, description: 'Directory: below which entry people are.' })
  baseDn?: string | null;

  @Field(() => String, { nullable: true, description: 'Directory: how a person is found by `{email}`.' })
  userFilter?: string | null;

  @Field(() => String, { nullable: true, description: 'Directory: what a sync takes for people.' })
  syncFilter?: string | null;

  @Field(() => String, { nullable: true, description: 'Directory: `entryUUID` or `objectGUID`.' })
  idAttribute?: string | null;

  @Field(() => String, { nullable: true, description: 'Directory: which attribute is the address.' })
  emailAttribute?: string | null;

  @Field(() => String, { nullable: true, description: 'Directory: which attribute is the name; else `cn`.' })
  nameAttribute?: string | null;

  @Field(() => String, { nullable: true, description: 'Directory: below which entry groups are; null: nobody asks.' })
  groupBaseDn?: string | null;

  @Field(() => String, { nullable: true, description: 'Directory: how the groups of `{dn}` are found.' })
  groupFilter?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Directory: whether groups of groups count.' })
  nestedGroups?: boolean | null;

  @Field(() => [GroupPrivilege], { nullable: true, description: 'Directory: what the members of groups may do.' })
  groupMap?: GroupPrivilege[] | null;

  @Field(() => Float, { nullable: true, description: 'Directory: how long each answer may take.' })
  timeoutSeconds?: number | null;

  @Field(() => String, { nullable: true, description: 'SSO: the tenant that its proofs name.' })
  tid?: string | null;

  @Field(() => String, { nullable: true, description: 'SSO: who issues the proofs.' })
  issuer?: string | null;

  @Field(() => String, { nullable: true, description: 'SSO: for whom they are issued; the client id by default.' })
  audience?: string | null;

  @Field(() => String, { nullable: true, description: 'SSO: where its keys are; null: the issuer tells.' })
  jwksUri?: string | null;

  @Field(() => ID, { nullable: true, description: 'SSO: what this server is called there.' })
  clientId?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'SSO: whether a client secret is set; it is never shown.' })
  hasClientSecret?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'SSO: whether a trusted proxy may sign; its secret is never shown.',
  })
  hasProxySecret?: boolean | null;

  @Field(() => Int, { description: 'Counts the changes; an approval may name the one that was looked at.' })
  revision!: number;

  @Field(() => Date, { description: 'When it was set up.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'When it was last changed.' })
  updatedAt!: Date;
}

/** What may be set about an identity provider. */
@InputType({ description: 'What is left out keeps its value, or gets its default.' })
export class IdentityProviderInput {
  @Field(() => String, { nullable: true, description: '1 to 100 characters.' })
  name?: string | null;

  @Field(() => [String], { nullable: true, description: 'Domains of addresses; each belongs to one provider.' })
  domains?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'Directory: `ldaps://host:636`, or `ldap://…` with TLS to come.',
  })
  url?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Directory: begin TLS after the connection.' })
  startTls?: boolean | null;

  @Field(() => String, { nullable: true, description: 'Directory: certificates in PEM; null: those of the system.' })
  ca?: string | null;

  @Field(() => String, { nullable: true, description: 'Directory: who searches in it; null: nobody in particular.' })
  bindDn?: string | null;

  @Field(() => String, { nullable: true, description: 'Directory: write-only; null takes it away.' })
  bindPassword?: string | null;

  @Field(() => String, { nullable: true, description: 'Directory: below which entry people are.' })
  baseDn?: string | null;

  @Field(() => String, { nullable: true, description: 'Directory: with `{email}`; `(mail={email})` by default.' })
  userFilter?: string | null;

  @Field(() => String, { nullable: true, description: 'Directory: whom a sync takes; `(mail=*)` by default.' })
  syncFilter?: string | null;

  @Field(() => String, { nullable: true, description: 'Directory: `entryUUID` (default) or `objectGUID`.' })
  idAttribute?: string | null;

  @Field(() => String, { nullable: true, description: 'Directory: `mail` by default.' })
  emailAttribute?: string | null;

  @Field(() => String, { nullable: true, description: 'Directory: `displayName` by default.' })
  nameAttribute?: string | null;

  @Field(() => String, { nullable: true, description: 'Directory: below which entry groups are; null: nobody asks.' })
  groupBaseDn?: string | null;

  @Field(() => String, { nullable: true, description: 'Directory: with `{dn}`; `(member={dn})` by default.' })
  groupFilter?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Directory: whether groups of groups count.' })
  nestedGroups?: boolean | null;

  @Field(() => [GroupPrivilege], { nullable: true, description: 'Directory: what the members of groups may do.' })
  groupMap?: GroupPrivilege[] | null;

  @Field(() => Float, { nullable: true, description: 'Directory: 1 to 60; 10 by default.' })
  timeoutSeconds?: number | null;

  @Field(() => String, { nullable: true, description: 'SSO: the tenant that its proofs name.' })
  tid?: string | null;

  @Field(() => String, { nullable: true, description: 'SSO: an https URL.' })
  issuer?: string | null;

  @Field(() => String, { nullable: true, description: 'SSO: for whom proofs are; the client id by default.' })
  audience?: string | null;

  @Field(() => String, { nullable: true, description: 'SSO: where its keys are; null: the issuer tells.' })
  jwksUri?: string | null;

  @Field(() => ID, { nullable: true, description: 'SSO: what this server is called there.' })
  clientId?: string | null;

  @Field(() => String, { nullable: true, description: 'SSO: write-only; null takes it away.' })
  clientSecret?: string | null;

  @Field(() => String, { nullable: true, description: 'SSO: of a trusted proxy; at least 32 characters, write-only.' })
  proxySecret?: string | null;
}

/** How a try of an identity provider went. */
@ObjectType({ simpleResolvers: true, description: 'How a try of an identity provider went.' })
export class IdentityProviderTest {
  @Field(() => Boolean, { description: 'Whether it does what a sign-in needs.' })
  success!: boolean;

  @Field(() => String, { description: 'What was found, or what is wrong.' })
  message!: string;
}

/** A page of identity providers. */
export const IdentityProviderConnection = connectionType('IdentityProvider', IdentityProviderView);

/** What may be shown of an identity provider. */
export function toIdentityProviderView(row: IdentityProvider, { settings }: OpenedProvider): IdentityProviderView {
  return {
    id: row.id,
    object: 'identity_provider',
    tenantId: row.tenantId,
    kind: row.kind,
    name: row.name,
    status: !row.enabled ? 'disabled' : row.approved ? 'active' : 'pending',
    domains: settings.domains,
    ...(settings.kind === 'ldap' ? ofDirectory(settings) : ofIssuer(settings)),
    revision: row.revision,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

function ofDirectory(settings: LdapSettings): Partial<IdentityProviderView> {
  return {
    url: settings.url,
    startTls: settings.start_tls,
    ca: settings.ca,
    bindDn: settings.bind_dn,
    hasBindPassword: settings.bind_password !== undefined,
    baseDn: settings.base_dn,
    userFilter: settings.user_filter,
    syncFilter: settings.sync_filter,
    idAttribute: settings.id_attribute,
    emailAttribute: settings.email_attribute,
    nameAttribute: settings.name_attribute,
    groupBaseDn: settings.group_base_dn,
    groupFilter: settings.group_filter,
    nestedGroups: settings.nested_groups,
    groupMap: settings.group_map,
    timeoutSeconds: settings.timeout_seconds,
  };
}

function ofIssuer(settings: SsoSettings): Partial<IdentityProviderView> {
  return {
    tid: settings.tid,
    issuer: settings.issuer,
    audience: settings.audience ?? settings.client_id,
    jwksUri: settings.jwks_uri,
    clientId: settings.client_id,
    hasClientSecret: settings.client_secret !== undefined,
    hasProxySecret: settings.proxy_secret !== undefined,
  };
}
