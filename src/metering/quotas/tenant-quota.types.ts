import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { SafeInt } from '../../graph/safe-int.scalar.js';

/** What a tenant and each of its users may use in a calendar month. */
@ObjectType({
  simpleResolvers: true,
  description: 'What a tenant and each of its users may use in a calendar month (UTC).',
})
export class TenantQuotaSettings {
  @Field(() => ID, { description: 'Whose quota it is.' })
  tenantId!: string;

  @Field(() => Boolean, {
    description: 'Whether calls and files over a limit are refused; otherwise limits are only reported.',
  })
  enforcing!: boolean;

  @Field(() => SafeInt, { nullable: true, description: 'Calls of the whole tenant; null is no limit.' })
  requests!: number | null;

  @Field(() => SafeInt, { nullable: true, description: 'Tokens of the whole tenant; null is no limit.' })
  tokens!: number | null;

  @Field(() => SafeInt, { nullable: true, description: 'Calls of each user; null is no limit.' })
  userRequests!: number | null;

  @Field(() => SafeInt, { nullable: true, description: 'Tokens of each user; null is no limit.' })
  userTokens!: number | null;

  @Field(() => SafeInt, {
    nullable: true,
    description: 'Bytes of files that the whole tenant may have stored; null is no limit.',
  })
  storageBytes!: number | null;

  @Field(() => SafeInt, {
    nullable: true,
    description: 'Bytes of files that each user may have stored; null is no limit.',
  })
  userStorageBytes!: number | null;

  @Field(() => SafeInt, {
    nullable: true,
    description: 'Seconds of audio, transcribed or spoken, of the whole tenant; null is no limit.',
  })
  audioSeconds!: number | null;

  @Field(() => SafeInt, { nullable: true, description: 'Seconds of audio of each user; null is no limit.' })
  userAudioSeconds!: number | null;

  @Field(() => Date, { nullable: true, description: 'Null: none was set, and the defaults of the server apply.' })
  updatedAt!: Date | null;
}

/** The quota of a tenant from now on. */
@InputType({ description: 'Replaces the whole quota; a limit that is left out is none.' })
export class TenantQuotaInput {
  @Field(() => Boolean, { description: 'Whether calls over a limit are refused.' })
  enforcing!: boolean;

  @Field(() => SafeInt, { nullable: true, description: 'A whole number from 0; null is no limit.' })
  requests?: number | null;

  @Field(() => SafeInt, { nullable: true, description: 'A whole number from 0; null is no limit.' })
  tokens?: number | null;

  @Field(() => SafeInt, { nullable: true, description: 'A whole number from 0; null is no limit.' })
  userRequests?: number | null;

  @Field(() => SafeInt, { nullable: true, description: 'A whole number from 0; null is no limit.' })
  userTokens?: number | null;

  @Field(() => SafeInt, { nullable: true, description: 'A whole number from 0; null is no limit.' })
  storageBytes?: number | null;

  @Field(() => SafeInt, { nullable: true, description: 'A whole number from 0; null is no limit.' })
  userStorageBytes?: number | null;

  @Field(() => SafeInt, { nullable: true, description: 'A whole number from 0; null is no limit.' })
  audioSeconds?: number | null;

  @Field(() => SafeInt, { nullable: true, description: 'A whole number from 0; null is no limit.' })
  userAudioSeconds?: number | null;
}
