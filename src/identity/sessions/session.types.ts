import { Field, ID, ObjectType } from 'type-graphql';
import { connectionType } from '../../graph/connection.js';
import type { Session } from './session.entity.js';

/** A sign-in of the caller that has not ended. */
@ObjectType('Session', { simpleResolvers: true, description: 'A sign-in of the caller that has not ended.' })
export class SessionView {
  @Field(() => ID, { description: 'Of the session; no token can be made from it.' })
  id!: string;

  @Field(() => String, { description: 'Always `session`.' })
  readonly object = 'session';

  @Field(() => Date, { description: 'When the user signed in.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'When tokens were last issued for it.' })
  lastUsedAt!: Date;

  @Field(() => String, { nullable: true, description: 'From which address that was.' })
  ip!: string | null;

  @Field(() => String, { nullable: true, description: 'What the client called itself then.' })
  userAgent!: string | null;

  @Field(() => Boolean, { description: 'Whether the caller’s token belongs to it.' })
  current!: boolean;
}

/** A page of sessions. */
export const SessionConnection = connectionType('Session', SessionView);

/** What a session's user sees of it. */
export function toSessionView(session: Session, currentId: string): SessionView {
  const { id, createdAt, lastUsedAt, ip, userAgent } = session;
  return { id, object: 'session', createdAt, lastUsedAt, ip, userAgent, current: id === currentId };
}
