import { Field, Float, InputType, ObjectType } from 'type-graphql';

/** How credible the hosts are that a pattern fits. */
@ObjectType({ simpleResolvers: true, description: 'How credible the hosts are that a pattern fits.' })
@InputType('CredibilityRuleInput', { description: 'How credible the hosts are that a pattern fits.' })
export class CredibilityRule {
  @Field(() => String, {
    description: 'A host name in which `*` stands for any characters, such as `example.com`, `*.example.com`, `*.edu`.',
  })
  pattern!: string;

  @Field(() => Float, { description: '0 to 1.' })
  score!: number;
}
