import { Field, ObjectType } from 'type-graphql';

/** Where a browser goes on. */
@ObjectType({ simpleResolvers: true, description: 'Where a browser goes on.' })
export class SsoRedirect {
  @Field(() => String, { description: 'An address of an identity provider, or a path of this server.' })
  url!: string;
}
