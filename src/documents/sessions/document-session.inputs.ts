import { Field, Float, InputType } from 'type-graphql';
import { JsonScalar } from '../../graph/json.scalar.js';
import { DocumentTemplate } from './document-session.entity.js';

/** A session that is to be made. */
@InputType({ description: 'A session that is to be made.' })
export class DocumentSessionInput {
  @Field(() => String, { description: '1 to 200 characters; others may have the same.' })
  name!: string;

  @Field(() => JsonScalar, {
    nullable: true,
    description: 'A JSON Schema of what is to be read from each document. Either this or `template`.',
  })
  schema?: unknown;

  @Field(() => DocumentTemplate, { nullable: true, description: 'A schema that is there already.' })
  template?: DocumentTemplate | null;

  @Field(() => String, {
    nullable: true,
    description: 'The public name of a chat model that answers by a JSON schema; rules alone without one.',
  })
  model?: string | null;

  @Field(() => Float, {
    nullable: true,
    description: '0 to 1; 0.9 by default. Values with less confidence are reviewed.',
  })
  reviewThreshold?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether its owner and administrators alone see it; false by default.',
  })
  isPrivate?: boolean | null;
}
