import { Directive, Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import type { Privilege } from '../../access/caller.js';
import { connectionType } from '../../graph/connection.js';
import { IdentityProvider } from '../providers/identity-provider.entity.js';
import { Tenant } from '../tenants/tenant.entity.js';

/** `suspended` and `disabled` users can neither sign in nor use what they have signed in with before. */
export const UserStatus = { active: 'active', suspended: 'suspended', disabled: 'disabled' } as const;
/** One of them. */
export type UserStatus = keyof typeof UserStatus;

registerEnumType(UserStatus, {
  name: 'UserStatus',
  description: 'Whether a user may sign in.',
  valuesConfig: {
    active: { description: 'May sign in.' },
    suspended: { description: 'May not sign in for now.' },
    disabled: { description: 'May not sign in any more.' },
  },
});

/** As it is stored: what belonged to a `deleted` user is being erased, and then the row is gone. Nobody is shown it. */
export type StoredUserStatus = UserStatus | 'deleted';

/** An address may be of an account with a password, and of others that identity providers know. */
export const LOCAL_FIRST = { identityProviderId: { direction: 'ASC', nulls: 'FIRST' } } as const;

/** A person who signs in (docs/api.md, Sign-in). */
@Directive('@key(fields: "id")')
@ObjectType({ simpleResolvers: true, description: 'A person who signs in.' })
@Entity('users')
@Index('users_tenant_id', ['tenantId', 'id'])
@Index('users_local_email', ['email'], { unique: true, where: 'identity_provider_id IS NULL' })
@Index('users_provider_email', ['identityProviderId', 'email'], {
  unique: true,
  where: 'identity_provider_id IS NOT NULL',
})
@Index('users_external_id', ['identityProviderId', 'externalId'], { unique: true })
@Index('users_pseudonym', ['pseudonym'], { unique: true, where: 'pseudonym IS NOT NULL' })
@Index('users_confirm_before', ['confirmBefore'], { where: 'confirm_before IS NOT NULL' })
@Index('users_status', ['status', 'id'], { where: "status <> 'active'" })
// TypeORM cannot describe indexes of expressions.
@Index('users_email_domain', { synchronize: false })
@Index('users_email_beginning', { synchronize: false })
@Index('users_username_beginning', { synchronize: false })
export class User {
  @Field(() => ID, { description: 'Begins with `usr_`.' })
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'users_pkey' })
  id!: string;

  @Field(() => ID, { description: 'The tenant that the user belongs to.' })
  @Column({ type: 'text', name: 'tenant_id' })
  tenantId!: string;

  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'users_tenant_id_fkey' })
  tenant?: Relation<Tenant>;

  /** Who checks that it is the user who signs in; null: the password that is kept here. */
  @Field(() => ID, { nullable: true, description: 'Who checks the sign-in; null: this server, by a password.' })
  @Column({ type: 'text', name: 'identity_provider_id', nullable: true })
  identityProviderId!: string | null;

  @ManyToOne(() => IdentityProvider)
  @JoinColumn({ name: 'identity_provider_id', foreignKeyConstraintName: 'users_identity_provider_id_fkey' })
  identityProvider?: Relation<IdentityProvider> | null;

  /** Who the user is to the identity provider, whatever the address: `entryUUID`, `objectGUID` or `oid`. */
  @Field(() => ID, { nullable: true, description: 'Who the user is to the identity provider.' })
  @Column({ type: 'text', name: 'external_id', nullable: true })
  externalId!: string | null;

  /** Lower case; unique among the users of an identity provider, and among those without one. */
  @Field(() => String, { description: 'The address that the user signs in with.' })
  @Column({ type: 'text' })
  email!: string;

  @Field(() => String, { description: 'What people call the user.' })
  @Column({ type: 'text' })
  username!: string;

  /** Null where somebody else checks the password. */
  @Column({ type: 'text', name: 'password_hash', nullable: true })
  passwordHash!: string | null;

  @Field(() => Boolean, { description: "Whether the email address is proven to be the user's." })
  @Column({ type: 'boolean' })
  confirmed!: boolean;

  @Field(() => UserStatus, { description: 'Whether the user may sign in.' })
  @Column({ type: 'text' })
  status!: StoredUserStatus;

  /** The directory does not know the user any more; should it do so again, the user is active again. */
  @Column({ type: 'boolean', name: 'suspended_by_sync', default: false })
  suspendedBySync!: boolean;

  /** The administrator of the first start, who signs in by a password whatever directory has the address. */
  @Column({ type: 'boolean', name: 'is_bootstrap', default: false })
  isBootstrap!: boolean;

  /** By when somebody who has registered must have confirmed the address; null for everybody else. */
  @Column({ type: 'timestamptz', precision: 3, name: 'confirm_before', nullable: true })
  confirmBefore!: Date | null;

  /** What stands in the ledger in place of a `deleted` user. */
  @Column({ type: 'text', nullable: true })
  pseudonym!: string | null;

  /**
   * What the audit log may call the user by other names than the address: former ones and those of identity providers;
   * a `deleted` one by all, see `accountIdentifier`.
   */
  @Column({ type: 'text', array: true, name: 'audit_identifiers', nullable: true })
  auditIdentifiers!: string[] | null;

  @Field(() => [String], { description: '`user`, `admin` of the own tenant, `sysadmin` of all tenants.' })
  @Column({ type: 'text', array: true })
  privileges!: Privilege[];

  @Field(() => [String], { description: 'The groups that a directory says the user is in.' })
  @Column({ type: 'text', array: true, name: 'group_memberships' })
  groupMemberships!: string[];

  /** Raised by whatever makes older tokens worthless. */
  @Field(() => Int, { description: 'Raised by whatever makes older tokens worthless.' })
  @Column({ type: 'integer', name: 'user_version' })
  userVersion!: number;

  @Field(() => Date, { description: 'When the account was made.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;
}

/** A page of users. */
export const UserConnection = connectionType('User', User);
