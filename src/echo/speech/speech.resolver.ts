import { Arg, Ctx, Mutation, Query, Resolver, Subscription } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { Blob } from '../../graph/blob.types.js';
import type { EventStream } from '../../graph/event-stream.js';
import { JsonScalar } from '../../graph/json.scalar.js';
import type { SpeechService } from './speech.service.js';
import { SpeechChunk, SpeechModelVoices } from './speech.types.js';

const speakRule = {
  credential: 'bearer',
  scope: 'echo:write',
  rateLimited: true,
  metered: 'echo',
  byok: true,
} as const;
const readRule = { credential: 'bearer', scope: 'echo:read' } as const;

/** Texts that are spoken. */
@Resolver()
export class SpeechResolver {
  constructor(private readonly speech: SpeechService) {}

  @Access(speakRule)
  @Mutation(() => Blob, {
    description: 'Speaks a text: the sound is made while it is fetched, which can be done once, within five minutes.',
  })
  createSpeech(
    @Arg('body', () => JsonScalar, { description: 'The body of POST /v1/audio/speech.' }) body: unknown,
    @Ctx() context: RequestContext,
  ): Promise<Blob> {
    return this.speech.order(callerOf(context), body, context);
  }

  @Access(speakRule)
  @Subscription(() => SpeechChunk, {
    topics: 'unused',
    description: 'Speaks a text piece by piece, as POST /v1/audio/speech does with `stream_format` `sse`.',
  })
  speechStream(
    @Arg('body', () => JsonScalar, { description: 'The body of POST /v1/audio/speech.' }) body: unknown,
    @Ctx() context: RequestContext,
  ): EventStream<SpeechChunk> {
    return this.speech.stream(callerOf(context), body, context);
  }

  @Access(readRule)
  @Query(() => [SpeechModelVoices], { nullable: true, description: 'The voices of every model that speaks.' })
  voices(@Ctx() context: RequestContext): Promise<SpeechModelVoices[]> {
    return this.speech.voices(callerOf(context));
  }
}
