import { Arg, Ctx, ID, Int, Resolver, Subscription } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import type { EventStream } from '../../graph/event-stream.js';
import { readRule } from '../sessions/research-session.resolver.js';
import { ResearchSessionEvent } from './research-event.types.js';
import type { SessionEventsService } from './session-events.service.js';

/** Events of research sessions. */
@Resolver()
export class SessionEventsResolver {
  constructor(private readonly service: SessionEventsService) {}

  @Access(readRule)
  @Subscription(() => ResearchSessionEvent, {
    topics: 'unused',
    description: 'What has happened in a session, and what happens, until it is over.',
  })
  researchSessionEvents(
    @Arg('id', () => ID, { description: 'Of one of the caller’s sessions.' }) id: string,
    @Ctx() context: RequestContext,
    @Arg('lastEventId', () => Int, {
      nullable: true,
      description: 'An event of the session: those behind it are sent. From the first one by default.',
    })
    lastEventId?: number | null,
    @Arg('reconnectAfter', () => Int, {
      nullable: true,
      description: 'The same, as a client says it that has lost its connection: it goes before `lastEventId`.',
    })
    reconnectAfter?: number | null,
  ): Promise<EventStream<ResearchSessionEvent>> {
    return this.service.read(callerOf(context), id, reconnectAfter ?? lastEventId, context.signal);
  }
}
