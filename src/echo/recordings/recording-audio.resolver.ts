import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { requireUpload, UploadScalar } from '../../graph/upload.js';
import { SafeInt } from '../../graph/safe-int.scalar.js';
import { BadRequest } from '../../errors.js';
import type { AudioUploads } from './audio-uploads.js';
import { BytesUpload } from './bytes-upload.js';
import { parseUploadRange } from './content-range.js';
import { writeRule } from './recording.resolver.js';
import { RecordingUpload } from './recording-upload.types.js';

const AUDIO_PATH = '/v1/echo/recordings/{id}/audio';
const RECORDING = { description: 'Of one of the caller’s.' };
/** Before base64; a message of a socket has 1 MiB. */
const MOST_APPENDED_BYTES = 512 * 1024;

/** How the audio of recordings comes. */
@Resolver()
export class RecordingAudioResolver {
  constructor(private readonly uploads: AudioUploads) {}

  @Access(writeRule)
  @Mutation(() => RecordingUpload, {
    description: `Store audio of a recording, or ask how much is stored. Bytes are sent over REST alone: PUT ${AUDIO_PATH}.`,
  })
  uploadRecordingAudio(
    @Arg('id', () => ID, RECORDING) id: string,
    @Ctx() context: RequestContext,
    @Arg('contentRange', () => String, {
      nullable: true,
      description:
        'Which bytes are sent, as `bytes 0-1023/4096`, or `bytes 0-1023/*` while the length is unknown; `bytes */4096` ends that, `bytes */*` asks. Absent: all audio is sent.',
    })
    contentRange?: string | null,
    @Arg('file', () => UploadScalar, { nullable: true, description: `Of a request to PUT ${AUDIO_PATH}.` })
    file?: unknown,
  ): Promise<RecordingUpload> {
    const range = parseUploadRange(contentRange);
    const hasBytes = range.kind === 'piece' || range.kind === 'whole';
    const isSent = hasBytes || (file !== undefined && file !== null);
    const upload = isSent ? requireUpload(file, AUDIO_PATH, 'PUT') : undefined;
    return this.uploads.send(callerOf(context), id, { range, upload, signal: context.signal });
  }

  @Access(writeRule)
  @Mutation(() => RecordingUpload, {
    description:
      'Store more audio of a recording, at most 512 KiB; `uploadRecordingAudio` ends it, and `transcriptionStream` tells what is said.',
  })
  appendRecordingAudio(
    @Arg('id', () => ID, RECORDING) id: string,
    @Arg('offset', () => SafeInt, { description: 'Where it begins in the audio, in bytes.' }) offset: number,
    @Arg('base64', () => String, { description: 'The bytes, in base64.' }) base64: string,
    @Ctx() context: RequestContext,
  ): Promise<RecordingUpload> {
    if (offset < 0) throw new BadRequest('offset must be 0 or more.', 'offset');
    const upload = BytesUpload.fromBase64(base64);
    const { sizeBytes } = upload;
    if (sizeBytes === 0 || sizeBytes > MOST_APPENDED_BYTES) {
      throw new BadRequest(`base64 must have 1 to ${MOST_APPENDED_BYTES} bytes.`, 'base64');
    }
    const range = { kind: 'piece', start: offset, end: offset + sizeBytes, total: undefined } as const;
    return this.uploads.send(callerOf(context), id, { range, upload, signal: context.signal });
  }
}
