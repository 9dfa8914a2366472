import { hash, randomBytes } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import { newId } from '../ids.js';
import { PERSONAL_COLUMNS, SALT_BYTES } from './audit-record.entity.js';
import { SYSTEM } from './audit-event.js';
import type { AuditActor, AuditActorType, AuditEvent } from './audit-event.js';

const INSERT = `
  INSERT INTO audit_records (id, tenant_id, action, actor_type, actor_id, target_type, target_id, outcome, reason,
    ip, user_agent, request_id, server_request_id, salts, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`;

const COUNT_REFUSAL = `
  INSERT INTO audit_refusals AS r (key, tenant_id, action, actor_type, actor_id, target_type, target_id, reason, count,
    ends_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1, now() + make_interval(secs => $9))
  ON CONFLICT (key) DO UPDATE SET count = r.count + 1
  RETURNING count`;

const TAKE_ENDED = `
  DELETE FROM audit_refusals WHERE ends_at < now()
  RETURNING tenant_id AS "tenantId", action, actor_type AS "actorType", actor_id AS "actorId",
    target_type AS "targetType", target_id AS "targetId", reason, count`;

/** Of what clients call themselves. */
const MAX_USER_AGENT = 512;

/** A refusal of an action. */
export interface Refusal extends AuditEvent {
  readonly reason: string;
}

interface EndedRefusal {
  readonly tenantId: string | null;
  readonly action: AuditEvent['action'];
  readonly actorType: AuditActorType;
  readonly actorId: string | null;
  readonly targetType: string | null;
  readonly targetId: string | null;
  readonly reason: string;
  readonly count: number;
}

/** Writes down what happens, in the transaction that does it, for the audit log. */
export class AuditRecorder {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Records an event.
   * @param tx the transaction of what it tells of, so that there is neither without the other
   */
  async record(tx: Pick<EntityManager, 'query'>, { type, id, client }: AuditActor, event: AuditEvent): Promise<void> {
    await tx.query(INSERT, [
      newId('aud'),
      event.tenantId,
      event.action,
      type,
      id,
      event.target?.type ?? null,
      event.target?.id ?? null,
      event.outcome ?? 'success',
      event.reason ?? null,
      client?.address ?? null,
      client?.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      client?.requestId ?? null,
      client?.serverRequestId ?? null,
      randomBytes(SALT_BYTES * PERSONAL_COLUMNS.length),
      new Date(),
    ]);
  }

  /** Records an event that changes nothing in the database. */
  async recordAlone(actor: AuditActor, event: AuditEvent): Promise<void> {
    await this.record(this.dataSource.manager, actor, event);
  }

  /**
   * Records a refusal: the first one in a window of time as it is, and the number of the others when the window is over,
   * so that whoever asks again and again does not fill the log.
   */
  async recordRefusal(actor: AuditActor, refusal: Refusal, windowSeconds: number): Promise<void> {
    const { tenantId, action, target, reason } = refusal;
    const named = [tenantId, action, actor.type, actor.id, target?.type ?? null, target?.id ?? null, reason];
    const key = hash('sha256', JSON.stringify(named), 'base64url');
    await this.dataSource.transaction(async (tx) => {
      const [counted] = await tx.query<{ count: number }[]>(COUNT_REFUSAL, [key, ...named, windowSeconds]);
      if (counted?.count === 1) await this.record(tx, actor, { ...refusal, outcome: 'denied' });
    });
  }

  /** Records how many refusals there were in the windows that are over. */
  async recordEndedWindows(): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const [ended] = await tx.query<[EndedRefusal[], number]>(TAKE_ENDED);
      for (const { actorType, actorId, targetType, targetId, count, ...event } of ended) {
        if (count === 1) continue;
        const target = targetType === null ? undefined : { type: targetType, id: targetId };
        const reason = `${event.reason}; ${count - 1} more until the end of the window`;
        await this.record(
          tx,
          { ...SYSTEM, type: actorType, id: actorId },
          { ...event, target, outcome: 'denied', reason },
        );
      }
    });
  }
}
