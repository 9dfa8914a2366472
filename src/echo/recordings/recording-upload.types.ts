import { Field, ID, ObjectType } from 'type-graphql';
import { SafeInt } from '../../graph/safe-int.scalar.js';
import { RecordingStatus } from './recording.entity.js';

/** How much of a recording's audio is stored. */
@ObjectType({ simpleResolvers: true, description: 'How much of a recording’s audio is stored.' })
export class RecordingUpload {
  @Field(() => ID, { description: 'Of the recording.' })
  id!: string;

  @Field(() => String, { description: 'Always `echo.recording.upload`.' })
  readonly object = 'echo.recording.upload';

  @Field(() => SafeInt, { description: 'Bytes that are stored for good: the next piece begins there.' })
  uploadedBytes!: number;

  @Field(() => SafeInt, { nullable: true, description: 'How many there are in all; null while nobody has said.' })
  totalBytes!: number | null;

  @Field(() => RecordingStatus, { description: 'How far the recording is; `created` until all audio is there.' })
  status!: RecordingStatus;
}
