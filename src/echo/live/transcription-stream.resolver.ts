import { Arg, Ctx, ID, Int, Resolver, Subscription } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import type { EventStream } from '../../graph/event-stream.js';
import { readRule } from '../recordings/recording.resolver.js';
import { TranscriptionEvent } from './live-event.types.js';
import type { LiveEvents } from './live-events.js';

/** What is said in recordings, while it is found out, for whoever watches. */
@Resolver()
export class TranscriptionStreamResolver {
  constructor(private readonly events: LiveEvents) {}

  @Access(readRule)
  @Subscription(() => TranscriptionEvent, {
    topics: 'unused',
    description:
      'What is said in a recording, as numbered events: while a live session records it, else while it is transcribed. It ends with the session, or the transcript.',
  })
  transcriptionStream(
    @Arg('recordingId', () => ID, { description: 'Of one of the caller’s.' }) recordingId: string,
    @Ctx() context: RequestContext,
    @Arg('after', () => Int, {
      nullable: true,
      description: 'The number of an event: those behind it are sent. From the first one by default.',
    })
    after?: number | null,
  ): Promise<EventStream<TranscriptionEvent>> {
    return this.events.read(callerOf(context), recordingId, after ?? 0, context.signal);
  }
}
