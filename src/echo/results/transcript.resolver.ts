import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { BadRequest } from '../../errors.js';
import { Blob } from '../../graph/blob.types.js';
import { readRule, writeRule } from '../recordings/recording.resolver.js';
import { Recording } from '../recordings/recording.entity.js';
import { RecordedTranscript } from './transcript.entity.js';
import { TranscriptFormat } from './transcript-format.js';
import { RecordedSegment } from './transcript-segment.entity.js';
import type { TranscriptsService } from './transcripts.service.js';

const RECORDING = { description: 'Of one of the caller’s.' };
const MAX_SEGMENTS = 100;

/** Transcripts of recordings. */
@Resolver(() => RecordedTranscript)
export class TranscriptResolver {
  constructor(private readonly service: TranscriptsService) {}

  @Access(readRule)
  @Query(() => RecordedTranscript, { description: 'What was said in a recording.' })
  recordingTranscript(
    @Arg('id', () => ID, RECORDING) id: string,
    @Ctx() context: RequestContext,
  ): Promise<RecordedTranscript> {
    return this.service.get(callerOf(context), id);
  }

  @Access(readRule)
  @Query(() => Blob, { description: 'Where the transcript of a recording is fetched.' })
  recordingTranscriptFile(
    @Arg('id', () => ID, RECORDING) id: string,
    @Ctx() context: RequestContext,
    @Arg('format', () => TranscriptFormat, { nullable: true, description: '`json` by default.' })
    format?: TranscriptFormat | null,
  ): Promise<Blob> {
    return this.service.address(callerOf(context), id, format ?? 'json');
  }

  @Access(writeRule)
  @Mutation(() => Recording, {
    description: 'Have a recording transcribed once more. The transcript that is there serves until then.',
  })
  transcribeRecording(
    @Arg('id', () => ID, RECORDING) id: string,
    @Ctx() context: RequestContext,
    @Arg('model', () => String, { nullable: true, description: 'Null: whichever can; absent: as before.' })
    model?: string | null,
    @Arg('language', () => String, { nullable: true, description: 'What is spoken; absent: as before.' })
    language?: string | null,
    @Arg('diarizationEnabled', () => Boolean, {
      nullable: true,
      description: 'Whether speakers are told apart; absent: as before.',
    })
    diarizationEnabled?: boolean | null,
  ): Promise<Recording> {
    return this.service.transcribe(callerOf(context), id, { model, language, diarizationEnabled });
  }

  @FieldResolver(() => [RecordedSegment], { description: 'Its segments in order, 100 at most.' })
  segments(
    @Root() transcript: RecordedTranscript,
    @Arg('first', () => Int, { nullable: true, description: 'How many, 1 to 100; 20 by default.' })
    first?: number | null,
    @Arg('from', () => Int, { nullable: true, description: 'The number of the first one; 0 by default.' })
    from?: number | null,
  ): Promise<RecordedSegment[]> {
    const count = first ?? 20;
    if (count < 1 || count > MAX_SEGMENTS) throw new BadRequest(`first must be 1 to ${MAX_SEGMENTS}.`, 'first');
    if ((from ?? 0) < 0) throw new BadRequest('from must be 0 or more.', 'from');
    return this.service.segments(transcript, from ?? 0, count);
  }
}
