import { Field, Float, ObjectType } from 'type-graphql';
import type { CheckState } from '../platform/telemetry/health.js';

/** The state of each part. */
@ObjectType({ simpleResolvers: true, description: 'Each is ok, degraded, down or off (not in use).' })
export class HealthChecks {
  @Field(() => String, { description: 'PostgreSQL, or the embedded database.' })
  database!: CheckState;

  @Field(() => String, { description: 'Rate limits and revocations.' })
  cache!: CheckState;

  @Field(() => String, { description: 'Work in the background.' })
  jobs!: CheckState;

  @Field(() => String, { description: 'The store of files.' })
  blobs!: CheckState;

  @Field(() => String, { description: 'Reading scans and images: whether the programs for it are installed.' })
  ocr!: CheckState;

  @Field(() => String, { description: 'Audio other than WAV: whether the program for it is installed.' })
  ffmpeg!: CheckState;

  @Field(() => String, { description: 'Vectors of knowledge bases: whether the database has the extension for them.' })
  vectors!: CheckState;

  @Field(() => String, { description: 'The audit log: whether what happens is sealed in time.' })
  audit!: CheckState;

  @Field(() => String, { description: 'The model servers.' })
  backends!: CheckState;

  @Field(() => String, { description: 'What transcribes and speaks, for everybody.' })
  speech!: CheckState;

  @Field(() => String, { description: 'Recordings that wait to be transcribed: degraded where one does for too long.' })
  transcriptions!: CheckState;

  @Field(() => String, { description: 'What translates, for everybody.' })
  translation!: CheckState;

  @Field(() => String, {
    description:
      'Documents that wait to be translated: degraded where one does for too long, off where the preview is.',
  })
  translations!: CheckState;
}

/** How the server does. */
@ObjectType({ simpleResolvers: true, description: 'How the server does.' })
export class Health {
  @Field(() => String, { description: 'ok or degraded.' })
  status!: 'ok' | 'degraded';

  @Field(() => String, { description: 'Of the server.' })
  version!: string;

  @Field(() => Float, { description: 'Seconds since the start.' })
  uptimeSeconds!: number;

  @Field(() => HealthChecks, { description: 'How each part does.' })
  checks!: HealthChecks;
}
