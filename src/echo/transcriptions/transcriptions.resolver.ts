import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { Blob } from '../../graph/blob.types.js';
import { requireUpload, UploadScalar } from '../../graph/upload.js';
import type { TranscriptionsService } from './transcriptions.service.js';

const transcribeRule = {
  credential: 'bearer',
  scope: 'echo:write',
  rateLimited: true,
  metered: 'echo',
  stateless: true,
  byok: true,
} as const;

/** Files that are transcribed at once. */
@Resolver()
export class TranscriptionsResolver {
  constructor(private readonly transcriptions: TranscriptionsService) {}

  @Access(transcribeRule)
  @Mutation(() => Blob, {
    description:
      'Transcribes a file that is sent to POST /v1/audio/transcriptions, by the fields beside it; stores nothing.',
  })
  transcribeAudio(
    @Arg('file', () => UploadScalar, {
      nullable: true,
      description: 'Of a request over REST: the audio, and the fields beside it.',
    })
    file: unknown,
    @Ctx() context: RequestContext,
  ): Promise<Blob> {
    const upload = requireUpload(file, '/v1/audio/transcriptions');
    return this.transcriptions.take(callerOf(context), 'transcribe', upload, context);
  }

  @Access(transcribeRule)
  @Mutation(() => Blob, {
    description:
      'Translates a file that is sent to POST /v1/audio/translations into English, by the fields beside it; stores nothing.',
  })
  translateAudio(
    @Arg('file', () => UploadScalar, {
      nullable: true,
      description: 'Of a request over REST: the audio, and the fields beside it.',
    })
    file: unknown,
    @Ctx() context: RequestContext,
  ): Promise<Blob> {
    const upload = requireUpload(file, '/v1/audio/translations');
    return this.transcriptions.take(callerOf(context), 'translate', upload, context);
  }
}
