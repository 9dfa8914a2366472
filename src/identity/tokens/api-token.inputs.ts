import { Field, InputType, Int } from 'type-graphql';

/** A personal access token to be made. */
@InputType({ description: 'A personal access token to be made.' })
export class CreateApiTokenInput {
  @Field(() => String, { description: '1 to 100 characters.' })
  name!: string;

  @Field(() => [String], { description: 'Such as `chat:write`; `*` is everything that its user may do.' })
  scopes!: string[];

  @Field(() => Int, { nullable: true, description: '1 to 365; 90 by default.' })
  expiresInDays?: number | null;
}
