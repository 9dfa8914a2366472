import { Field, ObjectType } from 'type-graphql';
import { SafeInt } from './safe-int.scalar.js';

/** A file that can be fetched. */
@ObjectType({ simpleResolvers: true, description: 'A file that can be fetched.' })
export class Blob {
  @Field(() => String, {
    description:
      'Where it is fetched, by a GET without a credential, for five minutes. Access is checked once more then.',
  })
  url!: string;

  @Field(() => String, { description: 'Its type, by its content.' })
  mediaType!: string;

  @Field(() => SafeInt, {
    nullable: true,
    description: 'How many bytes it has; null where it is made while it is sent.',
  })
  sizeBytes!: number | null;

  @Field(() => String, { nullable: true, description: 'Of its bytes, in hexadecimal digits; null as `sizeBytes`.' })
  sha256!: string | null;

  @Field(() => String, { description: 'What it is called.' })
  filename!: string;
}
