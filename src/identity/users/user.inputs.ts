import { Field, ID, InputType, registerEnumType } from 'type-graphql';
import type { Privilege as PrivilegeName } from '../../access/caller.js';
import { UserStatus } from './user.entity.js';

/** What a user may do beyond using the platform. */
export const Privilege = { user: 'user', admin: 'admin', sysadmin: 'sysadmin' } as const satisfies Record<
  PrivilegeName,
  PrivilegeName
>;
/** One of them. */
export type Privilege = PrivilegeName;

registerEnumType(Privilege, {
  name: 'Privilege',
  description: 'What a user may do beyond using the platform.',
  valuesConfig: {
    user: { description: 'Nothing more; everybody has it.' },
    admin: { description: 'Administer the own tenant.' },
    sysadmin: { description: 'Administer all tenants, and the installation.' },
  },
});

/** Somebody who is to get an account. */
@InputType({ description: 'Somebody who is to get an account.' })
export class InviteUserInput {
  @Field(() => String, { description: 'Where the link goes by which the password is chosen.' })
  email!: string;

  @Field(() => String, { description: 'What people call the user; 1 to 200 characters.' })
  name!: string;

  @Field(() => [Privilege], { nullable: true, description: 'None that the caller lacks; `user` by default.' })
  privileges?: Privilege[] | null;

  @Field(() => ID, { nullable: true, description: "The caller's own tenant by default; for a sysadmin any." })
  tenantId?: string | null;
}

/** What may be changed about a user; a field that is left out keeps its value. */
@InputType({ description: 'What is left out keeps its value.' })
export class UpdateUserInput {
  @Field(() => String, { nullable: true, description: '1 to 200 characters.' })
  name?: string | null;

  @Field(() => [Privilege], { nullable: true, description: 'None that the caller lacks.' })
  privileges?: Privilege[] | null;

  @Field(() => UserStatus, { nullable: true, description: 'Who is not `active` is signed out at once.' })
  status?: UserStatus | null;

  @Field(() => ID, {
    nullable: true,
    description: 'Sysadmins link an account to an identity provider, with `externalId`; null for both ends that.',
  })
  identityProviderId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Who the user is there: `entryUUID`, `objectGUID` or `oid`.' })
  externalId?: string | null;
}
