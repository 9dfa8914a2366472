import { Field, Float, ID, ObjectType, registerEnumType } from 'type-graphql';
import type { ProblemKind } from '../chain/chain-problem.js';

/** What is wrong with an entry. */
export const AuditProblemKind = {
  edited: 'edited',
  deleted: 'deleted',
  inserted: 'inserted',
  reordered: 'reordered',
  cut: 'cut',
  unsigned: 'unsigned',
} as const satisfies { readonly [Kind in ProblemKind]: Kind };

registerEnumType(AuditProblemKind, {
  name: 'AuditProblemKind',
  description: 'What is wrong with an entry.',
  valuesConfig: {
    edited: { description: 'It is not what was sealed; without an id: where its chain ends was changed.' },
    deleted: { description: 'It is missing.' },
    inserted: { description: 'It was put between others.' },
    reordered: { description: 'It stands in the place of another.' },
    cut: {
      description:
        'It is missing, with all behind it; 0: the ends of chains do not add up, one was set back or deleted.',
    },
    unsigned: { description: 'It and those behind it have no checkpoint that verifies, though it was due.' },
  },
});

/** Something that is wrong. */
@ObjectType({ simpleResolvers: true, description: 'Something that is wrong with the audit log.' })
export class AuditProblem {
  @Field(() => ID, { nullable: true, description: 'Of the entry; null where it is not there.' })
  entryId!: string | null;

  @Field(() => ID, { nullable: true, description: "The tenant whose chain it is; null: the platform's." })
  tenantId!: string | null;

  @Field(() => Float, { description: 'Its number in its chain; 0: it is not sealed yet, or no single entry.' })
  sequence!: number;

  @Field(() => AuditProblemKind, { description: 'What is wrong.' })
  problem!: ProblemKind;
}

/** What a verification has found. */
@ObjectType({ simpleResolvers: true, description: 'What a verification of the audit log has found.' })
export class AuditVerification {
  @Field(() => Boolean, { description: 'Whether nothing is wrong.' })
  valid!: boolean;

  @Field(() => Float, { description: 'Entries that were looked at.' })
  entries!: number;

  @Field(() => Float, { description: 'Entries that are not sealed yet: they count when they are, within a second.' })
  unsealed!: number;

  @Field(() => [AuditProblem], { description: '100 at most: the first of each chain, and then others.' })
  problems!: AuditProblem[];
}

/** A signed word on where a chain ends. */
@ObjectType('AuditCheckpoint', {
  simpleResolvers: true,
  description: 'A signed word on where a chain ends, to be kept.',
})
export class AuditCheckpointFile {
  @Field(() => String, { description: 'Always `audit.checkpoint`.' })
  readonly object = 'audit.checkpoint';

  @Field(() => ID, { nullable: true, description: "The tenant whose chain it is; null: the platform's." })
  tenantId!: string | null;

  @Field(() => Float, { description: 'Of the last entry.' })
  sequence!: number;

  @Field(() => String, { description: 'Of the last entry, in hexadecimal.' })
  hash!: string;

  @Field(() => ID, { description: 'The key that has signed it.' })
  kid!: string;

  @Field(() => String, { description: 'All of this as a JWS (RFC 7515) in its compact form.' })
  token!: string;

  @Field(() => String, { description: 'The public half of the key, as a JWK (RFC 7517) in JSON.' })
  publicKey!: string;

  @Field(() => Date, { description: 'When it was signed.' })
  createdAt!: Date;
}
