import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { MatchKind } from '../matching/match.types.js';
import type { SanitizerAction } from '../replacement.js';

/** What a rule looks for. */
export const SanitizerKind = {
  email: 'email',
  phone: 'phone',
  credit_card: 'credit_card',
  iban: 'iban',
  ip: 'ip',
  person_id: 'person_id',
  regex: 'regex',
  words: 'words',
} as const satisfies { readonly [Kind in MatchKind]: Kind };

registerEnumType(SanitizerKind, {
  name: 'SanitizerKind',
  description: 'What a rule looks for.',
  valuesConfig: {
    email: { description: 'Addresses of mail.' },
    phone: { description: 'Phone numbers: with +, and those of a region without.' },
    credit_card: { description: 'Card numbers whose check digit is right.' },
    iban: { description: 'Bank accounts whose check digits are right.' },
    ip: { description: 'Network addresses, IPv4 and IPv6.' },
    person_id: { description: 'National numbers of people: US, UK, DE, FR, ES, IT.' },
    regex: { description: 'What a pattern of one’s own finds.' },
    words: { description: 'Words and phrases, in upper and lower case.' },
  },
});

/** What is done with the text that a rule finds. */
export const SanitizerActionName = {
  mask: 'mask',
  block: 'block',
  pseudonymize: 'pseudonymize',
} as const satisfies { readonly [Action in SanitizerAction]: Action };

registerEnumType(SanitizerActionName, {
  name: 'SanitizerAction',
  description: 'What is done with the text that a rule finds.',
  valuesConfig: {
    mask: { description: 'Its kind stands in its place, such as `[EMAIL]`.' },
    block: { description: 'The call is refused, or its answer ends.' },
    pseudonymize: { description: 'The model sees `<EMAIL_1>`, and the caller the original.' },
  },
});

/** The directions that a rule applies to. */
export const SanitizerDirection = { input: 'input', output: 'output', both: 'both' } as const;
/** One of them. */
export type SanitizerDirection = keyof typeof SanitizerDirection;

registerEnumType(SanitizerDirection, {
  name: 'SanitizerDirection',
  description: 'Which texts a rule applies to.',
  valuesConfig: {
    input: { description: 'What callers send to models.' },
    output: { description: 'What models answer.' },
    both: { description: 'Both.' },
  },
});

/** What happens to parts of a call that cannot be read. */
export const UnreadableParts = { block: 'block', pass: 'pass' } as const;
/** One of these. */
export type UnreadableParts = keyof typeof UnreadableParts;

registerEnumType(UnreadableParts, {
  name: 'UnreadableParts',
  description: 'What happens to parts of a call that cannot be read: images, audio, token numbers.',
  valuesConfig: {
    block: { description: 'The call is refused.' },
    pass: { description: 'They pass as they are.' },
  },
});

/** What a policy looks for, and what it does there. */
@ObjectType({ simpleResolvers: true, description: 'What a policy looks for, and what it does there.' })
@InputType('SanitizerRuleInput', { description: 'What a policy looks for, and what it does there.' })
export class SanitizerRule {
  @Field(() => SanitizerKind, { description: 'What it looks for.' })
  kind!: MatchKind;

  @Field(() => SanitizerActionName, { description: 'What is done with what it finds.' })
  action!: SanitizerAction;

  @Field(() => SanitizerDirection, { defaultValue: 'both', description: 'Which texts it applies to.' })
  appliesTo!: SanitizerDirection;

  @Field(() => String, {
    nullable: true,
    description: 'Of the kind `regex` alone, which needs it: RE2 syntax, up to 1,000 characters.',
  })
  pattern?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Of the kind `words` alone, which needs them: words and phrases of up to 200 characters.',
  })
  words?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'Of the kind `phone` alone: the country (ISO 3166-1 alpha-2) whose numbers are found without their +.',
  })
  region?: string | null;
}

/** A place of a text that a rule has found. */
@ObjectType({ simpleResolvers: true, description: 'A place of a text that a rule has found.' })
export class SanitizerMatch {
  @Field(() => SanitizerKind, { description: 'The kind of the rule that decides what is done.' })
  kind!: MatchKind;

  @Field(() => Int, { description: 'Where it begins, in UTF-16 units.' })
  start!: number;

  @Field(() => Int, { description: 'Where it ends, in UTF-16 units.' })
  end!: number;
}

/** What rules find in a text, and what they make of it. */
@ObjectType({ simpleResolvers: true, description: 'What rules find in a text, and what they make of it.' })
export class SanitizerTest {
  @Field(() => [SanitizerMatch], { description: 'In the order of the text, without overlaps.' })
  matches!: SanitizerMatch[];

  @Field(() => String, { description: 'The text as a model would get it; what is blocked is masked in it.' })
  result!: string;

  @Field(() => Boolean, { description: 'Whether a call with this text would be refused.' })
  blocked!: boolean;
}
