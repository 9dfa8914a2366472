import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { Access, jwtCallerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { PageArgs } from '../../graph/connection.js';
import type { Connection } from '../../graph/connection.js';
import { Deletion } from '../../graph/deletion.types.js';
import { Success } from '../authentication/auth.types.js';
import { SessionConnection } from './session.types.js';
import type { SessionView } from './session.types.js';
import type { SessionsService } from './sessions.service.js';

const own = { credential: 'jwt' } as const;

/** The sessions of the caller. */
@Resolver()
export class SessionResolver {
  constructor(private readonly service: SessionsService) {}

  @Access(own)
  @Query(() => SessionConnection, { description: 'Where the caller is signed in.' })
  sessions(@Args(() => PageArgs) page: PageArgs, @Ctx() context: RequestContext): Promise<Connection<SessionView>> {
    return this.service.list(jwtCallerOf(context), page);
  }

  @Access(own)
  @Mutation(() => Deletion, { description: 'End a session of the caller.' })
  async endSession(
    @Arg('id', () => ID, { description: 'Of the session.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    await this.service.endOwn(jwtCallerOf(context), id);
    return { id, success: true };
  }

  @Access(own)
  @Mutation(() => Success, { description: 'End every session of the caller but this one.' })
  async endOtherSessions(@Ctx() context: RequestContext): Promise<Success> {
    await this.service.endOthers(jwtCallerOf(context));
    return { success: true };
  }
}
