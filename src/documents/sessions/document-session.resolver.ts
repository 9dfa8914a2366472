import { Arg, Args, Ctx, ID, Mutation, Query, Resolver, Subscription } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { PageArgs } from '../../graph/connection.js';
import type { Connection } from '../../graph/connection.js';
import { Deletion } from '../../graph/deletion.types.js';
import { DocumentSession, DocumentSessionConnection } from './document-session.entity.js';
import { DocumentSessionInput } from './document-session.inputs.js';
import type { DocumentSessionsService } from './document-sessions.service.js';

/** Whoever may see sessions. */
export const readRule = { credential: 'bearer', scope: 'documents:read' } as const;
/** Whoever may change them. */
export const writeRule = { credential: 'bearer', scope: 'documents:write' } as const;

const SESSION = { description: 'Of one that the caller may see.' };

/** Sessions of documents. */
@Resolver()
export class DocumentSessionResolver {
  constructor(private readonly service: DocumentSessionsService) {}

  @Access(readRule)
  @Query(() => DocumentSessionConnection, {
    description: 'One’s own, and those of the tenant that are not private; for administrators all of the tenant.',
  })
  documentSessions(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<DocumentSession>> {
    return this.service.list(callerOf(context), page);
  }

  @Access(readRule)
  @Query(() => DocumentSession, { description: 'A session that the caller may see.' })
  documentSession(@Arg('id', () => ID, SESSION) id: string, @Ctx() context: RequestContext): Promise<DocumentSession> {
    return this.service.get(callerOf(context), id);
  }

  @Access(readRule)
  @Subscription(() => DocumentSession, {
    topics: 'unused',
    description: 'A session as it is, and then whenever it has changed.',
  })
  documentSessionUpdated(
    @Arg('id', () => ID, SESSION) id: string,
    @Ctx() context: RequestContext,
  ): Promise<AsyncIterable<DocumentSession>> {
    return this.service.watch(callerOf(context), id);
  }

  @Access(writeRule)
  @Mutation(() => DocumentSession, { description: 'Make a session. Its schema never changes.' })
  createDocumentSession(
    @Arg('input', () => DocumentSessionInput, { description: 'What it is.' }) input: DocumentSessionInput,
    @Ctx() context: RequestContext,
  ): Promise<DocumentSession> {
    return this.service.create(callerOf(context), input);
  }

  @Access(writeRule)
  @Mutation(() => Deletion, { description: 'Delete a session, with its documents and all that was read and reviewed.' })
  async deleteDocumentSession(
    @Arg('id', () => ID, SESSION) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    await this.service.delete(callerOf(context), id);
    return { id, success: true };
  }
}
