import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { PageArgs } from '../../graph/connection.js';
import type { Connection } from '../../graph/connection.js';
import { Deletion } from '../../graph/deletion.types.js';
import { JsonScalar } from '../../graph/json.scalar.js';
import { requestLoader } from '../../graph/request-loader.js';
import type { RawResearchReport } from './research-report.types.js';
import { ResearchSession, ResearchSessionConnection } from './research-session.entity.js';
import { ResearchSessionInput } from './research-session.inputs.js';
import type { ResearchSessionsService } from './research-sessions.service.js';
import { ResearchSource } from './research-source.entity.js';
import { ResearchStep } from './research-step.entity.js';
import type { SessionContents } from './session-contents.js';

/** Whoever may see sessions of their own. */
export const readRule = { credential: 'bearer', scope: 'researcher:read' } as const;
/** Whoever may change them. */
const writeRule = { credential: 'bearer', scope: 'researcher:write' } as const;
/** It searches the web, which costs the operator's money, and nobody's quota. */
const beginRule = { ...writeRule, rateLimited: true } as const;

const SESSION = { description: 'Of one of the caller’s.' };

/** Research sessions. */
@Resolver(() => ResearchSession)
export class ResearchSessionResolver {
  private readonly sourcesOf = requestLoader<ResearchSession, ResearchSource[]>(
    (_context, sessions) => this.contents.sources(sessions),
    ({ id }) => id,
  );
  private readonly stepsOf = requestLoader<ResearchSession, ResearchStep[]>(
    (_context, sessions) => this.contents.steps(sessions),
    ({ id }) => id,
  );
  private readonly reportOf = requestLoader<ResearchSession, RawResearchReport>(
    (_context, sessions) => this.contents.reports(sessions),
    ({ id }) => id,
  );

  constructor(
    private readonly service: ResearchSessionsService,
    private readonly contents: SessionContents,
  ) {}

  @Access(readRule)
  @Query(() => ResearchSessionConnection, { description: 'The caller’s own.' })
  researchSessions(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<ResearchSession>> {
    return this.service.list(callerOf(context), page);
  }

  @Access(readRule)
  @Query(() => ResearchSession, { description: 'One of the caller’s.' })
  researchSession(@Arg('id', () => ID, SESSION) id: string, @Ctx() context: RequestContext): Promise<ResearchSession> {
    return this.service.get(callerOf(context), id);
  }

  @Access(beginRule)
  @Mutation(() => ResearchSession, { description: 'Ask a question. It is answered in the background.' })
  createResearchSession(
    @Arg('input', () => ResearchSessionInput, { description: 'What is asked, and how.' }) input: ResearchSessionInput,
    @Ctx() context: RequestContext,
  ): Promise<ResearchSession> {
    return this.service.create(callerOf(context), input);
  }

  @Access(writeRule)
  @Mutation(() => ResearchSession, { description: 'End a session that is not over. What it has found is kept.' })
  cancelResearchSession(
    @Arg('id', () => ID, SESSION) id: string,
    @Ctx() context: RequestContext,
  ): Promise<ResearchSession> {
    return this.service.cancel(callerOf(context), id);
  }

  @Access(beginRule)
  @Mutation(() => ResearchSession, { description: 'Go on with a session that has failed, behind what it has done.' })
  resumeResearchSession(
    @Arg('id', () => ID, SESSION) id: string,
    @Ctx() context: RequestContext,
  ): Promise<ResearchSession> {
    return this.service.resume(callerOf(context), id);
  }

  @Access(writeRule)
  @Mutation(() => Deletion, { description: 'Delete a session, with its report and the texts of its sources.' })
  async deleteResearchSession(
    @Arg('id', () => ID, SESSION) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    await this.service.delete(callerOf(context), id);
    return { id, success: true };
  }

  @FieldResolver(() => [ResearchSource], { description: 'What it has found, in that order.' })
  async sources(@Root() session: ResearchSession, @Ctx() context: RequestContext): Promise<ResearchSource[]> {
    return (await this.sourcesOf(context).load(session)) ?? [];
  }

  @FieldResolver(() => [ResearchStep], { description: 'What it has done, in that order.' })
  async steps(@Root() session: ResearchSession, @Ctx() context: RequestContext): Promise<ResearchStep[]> {
    return (await this.stepsOf(context).load(session)) ?? [];
  }

  @FieldResolver(() => JsonScalar, { nullable: true, description: 'The report; null before it is completed.' })
  async report(@Root() session: ResearchSession, @Ctx() context: RequestContext): Promise<RawResearchReport | null> {
    // Lists leave it out.
    return session.report === undefined ? this.reportOf(context).load(session) : session.report;
  }
}
