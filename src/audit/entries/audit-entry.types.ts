import { ArgsType, Field, Float, ID, ObjectType, registerEnumType } from 'type-graphql';
import { connectionType } from '../../graph/connection.js';
import { tenantOfChain } from './audit-entry.entity.js';
import type { AuditEntryRow } from './audit-entry.entity.js';

/** How what an entry tells of ended. */
export const AuditOutcome = { success: 'success', failure: 'failure', denied: 'denied' } as const;
/** One of them. */
export type AuditOutcome = keyof typeof AuditOutcome;

registerEnumType(AuditOutcome, {
  name: 'AuditOutcome',
  description: 'How what an entry tells of ended.',
  valuesConfig: {
    success: { description: 'It was done.' },
    failure: { description: 'It was tried, and failed.' },
    denied: { description: 'Whoever tried may not do it, or not that often.' },
  },
});

/** Who acted, or what was acted on. */
@ObjectType({ simpleResolvers: true, description: 'Who acted, or what was acted on.' })
export class AuditParty {
  @Field(() => String, {
    description: 'An actor is a `user`, a `service_key`, `unknown`, an `operator` or the `system`; a target a noun.',
  })
  type!: string;

  @Field(() => ID, { nullable: true, description: 'Of an account that is not there, a keyed hash of its address.' })
  subjectId!: string | null;
}

/** An entry of the audit log. */
@ObjectType({ simpleResolvers: true, description: 'An entry of the audit log.' })
export class AuditEntry {
  @Field(() => ID, { description: 'Begins with `aud_`.' })
  id!: string;

  @Field(() => String, { description: 'Always `audit.entry`.' })
  readonly object = 'audit.entry';

  @Field(() => Float, { description: 'Its number in its chain, from 1.' })
  sequence!: number;

  @Field(() => ID, { nullable: true, description: "The tenant whose chain it is in; null: the platform's." })
  tenantId!: string | null;

  @Field(() => String, { description: 'A noun and a verb, such as `api_token.create`.' })
  action!: string;

  @Field(() => AuditParty, { description: 'Who acted.' })
  actor!: AuditParty;

  @Field(() => AuditParty, { nullable: true, description: 'What was acted on; null: nothing that has an id.' })
  target!: AuditParty | null;

  @Field(() => AuditOutcome, { description: 'How it ended.' })
  outcome!: AuditOutcome;

  @Field(() => String, { nullable: true, description: 'Why, for those that need it.' })
  reason!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The address that the request came from; of counted refusals a network, or `others`.',
  })
  ip!: string | null;

  @Field(() => String, { nullable: true, description: 'What the client calls itself.' })
  userAgent!: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'What the client called its request (`x-request-id`); null where it did not.',
  })
  requestId!: string | null;

  @Field(() => ID, { nullable: true, description: "The server's own id of the request." })
  serverRequestId!: string | null;

  @Field(() => String, { description: 'SHA-256 in hexadecimal (docs/audit.md, The chain).' })
  hash!: string;

  @Field(() => String, { nullable: true, description: 'Of the entry before it; null: it is the first one.' })
  previousHash!: string | null;

  @Field(() => Date, { description: 'When it happened.' })
  createdAt!: Date;
}

/** A page of entries. */
export const AuditEntryConnection = connectionType('AuditEntry', AuditEntry);

/** Which entries are wanted. */
@ArgsType()
export class AuditFilter {
  @Field(() => String, { nullable: true, description: 'A user, a service key; as in `actor.id`.' })
  actor?: string | null;

  @Field(() => String, { nullable: true, description: 'Such as `user.sign_in`.' })
  action?: string | null;

  @Field(() => String, { nullable: true, description: 'As in `target.id`.' })
  target?: string | null;

  @Field(() => AuditOutcome, { nullable: true, description: 'How it ended.' })
  outcome?: AuditOutcome | null;

  @Field(() => Date, { nullable: true, description: 'Not before then.' })
  from?: Date | null;

  @Field(() => Date, { nullable: true, description: 'Before then.' })
  to?: Date | null;

  @Field(() => ID, { nullable: true, description: "A tenant's chain, or `platform`; for sysadmins." })
  tenantId?: string | null;
}

/** What may be shown of an entry. */
export function toAuditEntry(row: AuditEntryRow): AuditEntry {
  const { chain, actorType, actorId, targetType, targetId, previousHash } = row;
  return {
    id: row.id,
    object: 'audit.entry',
    sequence: Number(row.sequence),
    tenantId: tenantOfChain(chain),
    action: row.action,
    actor: { type: actorType, subjectId: actorId },
    target: targetType === null ? null : { type: targetType, subjectId: targetId },
    outcome: row.outcome,
    reason: row.reason,
    ip: row.ip,
    userAgent: row.userAgent,
    requestId: row.requestId,
    serverRequestId: row.serverRequestId,
    hash: row.hash.toString('hex'),
    previousHash: previousHash && previousHash.toString('hex'),
    createdAt: row.createdAt,
  };
}
