import { Field, Int, ObjectType } from 'type-graphql';
import type { CheckState } from '../../platform/telemetry/health.js';

/** A model that transcribes or speaks, and that the tenant may use. */
@ObjectType({ simpleResolvers: true, description: 'A model that transcribes or speaks, and that the tenant may use.' })
export class SpeechEngineHealth {
  @Field(() => String, { description: 'The name of the model.' })
  model!: string;

  @Field(() => [String], { description: 'What it does: `transcribe`, `speech`.' })
  operations!: string[];

  @Field(() => Boolean, { description: 'Whether a server of it answers.' })
  ok!: boolean;
}

/** Transcriptions of recordings that are not over, of all users. */
@ObjectType({ simpleResolvers: true, description: 'Transcriptions of recordings that are not over, of all users.' })
export class TranscriptionQueueHealth {
  @Field(() => Int, { description: 'How many wait for their turn or for a model, counted to at most 10,000.' })
  waiting!: number;

  @Field(() => Int, { description: 'How many are worked at, counted to at most 10,000.' })
  running!: number;

  @Field(() => Int, { nullable: true, description: 'How long the oldest one waits; null where none does.' })
  oldestSeconds!: number | null;
}

/** How speech does. */
@ObjectType({ simpleResolvers: true, description: 'How speech does.' })
export class EchoHealth {
  @Field(() => String, { description: 'Always `echo.health`.' })
  readonly object = 'echo.health';

  @Field(() => String, {
    description:
      'ok, degraded (an engine does not answer, or a transcription waits for over ten minutes), down (no engine answers), or off (there is none).',
  })
  status!: CheckState;

  @Field(() => [SpeechEngineHealth], { description: 'Those that transcribe or speak.' })
  engines!: readonly SpeechEngineHealth[];

  @Field(() => Boolean, { description: 'Whether audio other than WAV is decoded here.' })
  ffmpeg!: boolean;

  @Field(() => TranscriptionQueueHealth, { description: 'What waits.' })
  queue!: TranscriptionQueueHealth;
}
