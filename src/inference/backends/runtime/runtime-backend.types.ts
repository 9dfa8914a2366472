import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../../graph/connection.js';
import { JsonScalar } from '../../../graph/json.scalar.js';
import type { SecretSettings, StoredBackend } from './stored-backend.entity.js';

/** A model of a backend: its public name and the one that the server knows it by. */
@ObjectType({ simpleResolvers: true, description: 'A model of a backend.' })
@InputType('BackendModelInput', { description: 'A model of a backend.' })
export class BackendModel {
  @Field(() => ID, { description: 'The public name.' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'The name that the server knows; the public one by default.' })
  upstream?: string | null;
}

/** Calls that wait for a backend. */
@ObjectType({ simpleResolvers: true, description: 'Calls that wait for a backend.' })
@InputType('BackendQueueInput', { description: 'Calls that wait for a backend.' })
export class BackendQueue {
  @Field(() => Int, { description: '0 to 100,000.' })
  max!: number;

  @Field(() => Float, { description: 'How long each may wait; up to 3,600.' })
  seconds!: number;
}

/** A backend that was added while the server runs. Its keys are never shown. */
@ObjectType({ simpleResolvers: true, description: 'A backend that was added while the server runs.' })
export class RuntimeBackend {
  @Field(() => ID, { description: 'Begins with `bck_`.' })
  id!: string;

  @Field(() => String, { description: 'Always `backend`.' })
  readonly object = 'backend';

  @Field(() => ID, { nullable: true, description: 'The tenant that it serves alone; null: all of them.' })
  tenantId!: string | null;

  @Field(() => String, { description: 'What people call it; unique among those that its tenant sees.' })
  name!: string;

  @Field(() => String, { description: '`openai`, any server of the chat-completions interface, or `libretranslate`.' })
  kind!: string;

  @Field(() => String, { description: 'Which company or software answers.' })
  provider!: string;

  @Field(() => String, { description: 'Where its API is, such as `https://models.example/v1`.' })
  baseUrl!: string;

  @Field(() => Boolean, { description: 'Whether a key is set; it is never shown.' })
  hasApiKey!: boolean;

  @Field(() => [String], { description: 'The names of the headers that are sent; their values are never shown.' })
  headerNames!: string[];

  @Field(() => [String], { description: 'What it can do, such as `chat` or `embeddings`.' })
  supports!: string[];

  @Field(() => [BackendModel], { nullable: true, description: 'Null: asked of the server.' })
  models!: BackendModel[] | null;

  @Field(() => Float, { description: "Its share of the calls, against the others' weights." })
  weight!: number;

  @Field(() => Int, { description: 'Lower ones are used up first.' })
  priority!: number;

  @Field(() => Int, { nullable: true, description: 'Calls at once; null: no limit.' })
  maxConcurrency!: number | null;

  @Field(() => BackendQueue, { description: 'Calls that wait where it is full.' })
  queue!: BackendQueue;

  @Field(() => String, { nullable: true, description: 'What is asked in place of `/models`; null: that.' })
  healthPath!: string | null;

  @Field(() => Boolean, { description: 'Whether callers may bring their own key.' })
  byok!: boolean;

  @Field(() => Float, { description: 'How long the head of an answer may take.' })
  timeoutSeconds!: number;

  @Field(() => Date, { description: 'When it was added.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'When it was last changed.' })
  updatedAt!: Date;
}

/** What may be set about a backend; checked like an entry of the backends file. */
@InputType({ description: 'What is left out keeps its value, or gets its default.' })
export class BackendSettingsInput {
  @Field(() => String, { nullable: true, description: '1 to 64 letters, digits, dots, dashes or underscores.' })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description: '`openai`, which is the default, or `libretranslate`; it cannot be changed.',
  })
  kind?: string | null;

  @Field(() => String, { nullable: true, description: 'Which company or software answers; the kind by default.' })
  provider?: string | null;

  @Field(() => String, { nullable: true, description: 'http or https.' })
  baseUrl?: string | null;

  @Field(() => String, { nullable: true, description: 'Write-only; null takes it away.' })
  apiKey?: string | null;

  @Field(() => JsonScalar, { nullable: true, description: 'Names and values; write-only.' })
  headers?: unknown;

  @Field(() => [String], {
    nullable: true,
    description: 'What it can do: chat, completions, responses and embeddings by default.',
  })
  supports?: string[] | null;

  @Field(() => [BackendModel], { nullable: true, description: 'Null: asked of the server.' })
  models?: BackendModel[] | null;

  @Field(() => Float, { nullable: true, description: '0.001 to 1,000; 1 by default.' })
  weight?: number | null;

  @Field(() => Int, { nullable: true, description: '0 to 1,000; lower ones are used up first; 0 by default.' })
  priority?: number | null;

  @Field(() => Int, { nullable: true, description: 'Calls at once; null: no limit.' })
  maxConcurrency?: number | null;

  @Field(() => BackendQueue, { nullable: true, description: '100 for 30 s by default.' })
  queue?: BackendQueue | null;

  @Field(() => String, { nullable: true, description: 'Asked instead of `/models`; a path from the root of the host.' })
  healthPath?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether callers may bring their own key; true is for sysadmins alone.',
  })
  byok?: boolean | null;

  @Field(() => Float, { nullable: true, description: 'How long the head of an answer may take; 300 by default.' })
  timeoutSeconds?: number | null;
}

/** A page of backends. */
export const RuntimeBackendConnection = connectionType('RuntimeBackend', RuntimeBackend);

/** What may be shown of a stored backend. */
export function toRuntimeBackend(row: StoredBackend, secrets: SecretSettings): RuntimeBackend {
  const { settings } = row;
  return {
    id: row.id,
    object: 'backend',
    tenantId: row.tenantId,
    name: row.name,
    kind: settings.kind ?? 'openai',
    provider: settings.provider,
    baseUrl: settings.base_url,
    hasApiKey: secrets.api_key !== undefined,
    headerNames: Object.keys(secrets.headers),
    supports: settings.supports,
    models: settings.models ?? null,
    weight: settings.weight,
    priority: settings.priority,
    maxConcurrency: settings.max_concurrency ?? null,
    queue: settings.queue,
    healthPath: settings.health_path ?? null,
    byok: row.takesKeys,
    timeoutSeconds: settings.timeout_seconds,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
