import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { serviceActorOf } from '../../access/audit-actor.js';
import { Access, jwtCallerOf, Public } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { Success } from '../authentication/auth.types.js';
import { PasswordChange } from './password.types.js';
import type { PasswordResetRequests } from './password-reset-requests.js';
import type { PasswordsService } from './passwords.service.js';

const SUCCESS: Success = { success: true };

/** Passwords. */
@Resolver()
export class PasswordResolver {
  constructor(
    private readonly passwords: PasswordsService,
    private readonly requests: PasswordResetRequests,
  ) {}

  @Access({ credential: 'jwt' })
  @Mutation(() => Success, { description: 'Change the own password; every other session ends.' })
  async changePassword(
    @Arg('currentPassword', () => String, { description: 'The one until now.' }) currentPassword: string,
    @Arg('newPassword', () => String, { description: '12 to 256 characters.' }) newPassword: string,
    @Ctx() context: RequestContext,
  ): Promise<Success> {
    await this.passwords.change(jwtCallerOf(context), context, currentPassword, newPassword);
    return SUCCESS;
  }

  @Public('who has forgotten the password cannot sign in')
  @Mutation(() => Success, { description: 'Ask for a link by mail; the answer is the same for every address.' })
  async requestPasswordReset(
    @Arg('email', () => String, { description: 'The address of the account.' }) email: string,
    @Ctx() context: RequestContext,
  ): Promise<Success> {
    await this.requests.request(context, email);
    return SUCCESS;
  }

  @Public('the mailed token is the credential')
  @Mutation(() => Success, { description: 'Set a new password by a mailed token, which works once.' })
  async resetPassword(
    @Arg('token', () => String, { description: 'The one of the mail.' }) token: string,
    @Arg('newPassword', () => String, { description: '12 to 256 characters.' }) newPassword: string,
    @Ctx() context: RequestContext,
  ): Promise<Success> {
    await this.passwords.reset(context, token, newPassword);
    return SUCCESS;
  }

  @Access({ credential: 'service' })
  @Mutation(() => PasswordChange, { description: 'Set the password of an account; every session ends. For services.' })
  async setPassword(
    @Arg('newPassword', () => String, { description: '12 to 256 characters.' }) newPassword: string,
    @Ctx() context: RequestContext,
    @Arg('userId', () => ID, { nullable: true, description: 'Whose; or `email`.' }) userId?: string | null,
    @Arg('email', () => String, { nullable: true, description: 'Whose; or `userId`.' }) email?: string | null,
  ): Promise<PasswordChange> {
    return { id: await this.passwords.set(serviceActorOf(context), { userId, email }, newPassword), success: true };
  }
}
