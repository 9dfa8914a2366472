import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { Public } from '../../access/access-rule.js';
import { User } from '../users/user.entity.js';

/** What is said of an address that somebody wants to register. */
export const RegistrationReason = {
  available: 'available',
  registered: 'registered',
  directory: 'directory',
  domain_not_allowed: 'domain_not_allowed',
  closed: 'closed',
} as const;
/** One of these. */
export type RegistrationReason = keyof typeof RegistrationReason;

registerEnumType(RegistrationReason, {
  name: 'RegistrationReason',
  description: 'Whether an address can be registered, or why not.',
  valuesConfig: {
    available: { description: 'It can be registered.' },
    registered: { description: 'There is an account with it.' },
    directory: { description: 'The accounts of its domain come from a directory or by single sign-on.' },
    domain_not_allowed: { description: 'No tenant takes addresses of its domain.' },
    closed: { description: 'Registration is closed.' },
  },
});

/** Whether an address can be registered. */
@ObjectType({ simpleResolvers: true, description: 'Whether an address can be registered.' })
export class RegistrationCheck {
  @Field(() => String, { description: 'The address, in lower case.' })
  email!: string;

  @Field(() => Boolean, { description: 'Whether it can be registered.' })
  canRegister!: boolean;

  @Field(() => RegistrationReason, { description: 'Why, or why not.' })
  reason!: RegistrationReason;
}

/** The answer to the right code. */
@ObjectType({ simpleResolvers: true, description: 'The answer to the right code.' })
export class Confirmation {
  @Field(() => Boolean, { description: 'Always true: what fails is an error.' })
  confirmed!: true;

  @Public('who confirms an address is told whose account it is')
  @Field(() => User, { description: 'The account, which can sign in now.' })
  user!: User;
}
