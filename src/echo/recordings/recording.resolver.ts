import { Arg, Args, Ctx, ID, Mutation, Query, Resolver, Subscription } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { Blob } from '../../graph/blob.types.js';
import { PageArgs } from '../../graph/connection.js';
import type { Connection } from '../../graph/connection.js';
import { Deletion } from '../../graph/deletion.types.js';
import { Recording, RecordingConnection } from './recording.entity.js';
import { RecordingInput, RecordingPatch } from './recording.inputs.js';
import type { RecordingsService } from './recordings.service.js';

/** Whoever may have recordings of their own. */
export const readRule = { credential: 'bearer', scope: 'echo:read' } as const;
/** Whoever may change them. */
export const writeRule = { credential: 'bearer', scope: 'echo:write' } as const;

const RECORDING = { description: 'Of one of the caller’s.' };

/** Recordings. */
@Resolver()
export class RecordingResolver {
  constructor(private readonly service: RecordingsService) {}

  @Access(readRule)
  @Query(() => RecordingConnection, { description: 'The caller’s own.' })
  recordings(@Args(() => PageArgs) page: PageArgs, @Ctx() context: RequestContext): Promise<Connection<Recording>> {
    return this.service.list(callerOf(context), page);
  }

  @Access(readRule)
  @Query(() => Recording, { description: 'One of the caller’s.' })
  recording(@Arg('id', () => ID, RECORDING) id: string, @Ctx() context: RequestContext): Promise<Recording> {
    return this.service.get(callerOf(context), id);
  }

  @Access(readRule)
  @Query(() => Blob, { description: 'Where the audio of a recording is fetched, as far as it is stored.' })
  recordingAudio(@Arg('id', () => ID, RECORDING) id: string, @Ctx() context: RequestContext): Promise<Blob> {
    return this.service.audio(callerOf(context), id);
  }

  @Access(readRule)
  @Subscription(() => Recording, {
    topics: 'unused',
    description: 'A recording as it is, and then whenever it has changed.',
  })
  recordingUpdated(
    @Arg('id', () => ID, RECORDING) id: string,
    @Ctx() context: RequestContext,
  ): Promise<AsyncIterable<Recording>> {
    return this.service.watch(callerOf(context), id);
  }

  @Access(writeRule)
  @Mutation(() => Recording, { description: 'Make a recording, whose audio comes later.' })
  createRecording(
    @Arg('input', () => RecordingInput, { description: 'What it is.' }) input: RecordingInput,
    @Ctx() context: RequestContext,
  ): Promise<Recording> {
    return this.service.create(callerOf(context), input);
  }

  @Access(writeRule)
  @Mutation(() => Recording, { description: 'Change a recording, or name its speakers.' })
  updateRecording(
    @Arg('id', () => ID, RECORDING) id: string,
    @Arg('patch', () => RecordingPatch, { description: 'What changes.' }) patch: RecordingPatch,
    @Ctx() context: RequestContext,
  ): Promise<Recording> {
    return this.service.update(callerOf(context), id, patch);
  }

  @Access(writeRule)
  @Mutation(() => Deletion, { description: 'Delete a recording, with its audio and its transcript.' })
  async deleteRecording(@Arg('id', () => ID, RECORDING) id: string, @Ctx() context: RequestContext): Promise<Deletion> {
    await this.service.delete(callerOf(context), id);
    return { id, success: true };
  }
}
