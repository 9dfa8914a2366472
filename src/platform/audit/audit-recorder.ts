import { hash, randomBytes } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import type { SecretBox } from '../crypto/secret-box.js';
import { newId } from '../ids.js';
import { toSite } from '../net/client-network.js';
import { SALTS_BYTES } from './audit-record.entity.js';
import { macOfRecord, RECORD_COLUMNS, WRITTEN_COLUMNS } from './record-mac.js';
import type { RecordContent } from './record-mac.js';
import type { AuditActor, AuditActorType, AuditEvent, AuditOutcome } from './audit-event.js';

const PLACES = [...RECORD_COLUMNS, 'mac'].map((_column, index) => `$${index + 1}`);
const INSERT = `INSERT INTO audit_records (${WRITTEN_COLUMNS}) VALUES (${PLACES.join(', ')})`;

const COUNT_REFUSAL = `
  INSERT INTO audit_refusals AS r (key, tenant_id, action, actor_type, actor_id, target_type, target_id, outcome, reason,
    network, count, recorded, ends_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1, 1, now() + make_interval(secs => $11))
  ON CONFLICT (key) DO UPDATE SET count = r.count + 1, recorded = LEAST(r.count + 1, $12)
  RETURNING key, count, (SELECT count(*)::integer FROM audit_refusals WHERE network IS NOT NULL) AS networks`;

const COUNT_MORE = 'UPDATE audit_refusals SET count = count + $2 WHERE key = $1';

const TAKE_ENDED = `
  DELETE FROM audit_refusals WHERE ends_at < now()
  RETURNING tenant_id AS "tenantId", action, actor_type AS "actorType", actor_id AS "actorId",
    target_type AS "targetType", target_id AS "targetId", outcome, reason, network, count, recorded`;

/** Of what clients call themselves. */
const MAX_USER_AGENT = 512;

/** How many windows of networks there are at a time. */
const MAX_NETWORKS = 1_000;
/** What the others are counted as. */
const OTHER_NETWORKS = 'others';

/** In which refusals of one kind are counted together, unless another window is given. */
const REFUSAL_WINDOW_SECONDS = 15 * 60;

/** A refusal of an action. */
export interface Refusal extends AuditEvent {
  readonly reason: string;
  /** How many of a window are recorded each by itself, before the others are counted; 1 unless it is given. */
  readonly recordedEach?: number;
}

interface CountedRefusal {
  readonly key: string;
  /** Of its kind, in this window. */
  readonly count: number;
  /** That have a window already, for whatever they are refused. */
  readonly networks: number;
}

interface EndedRefusal {
  readonly tenantId: string | null;
  readonly action: AuditEvent['action'];
  readonly actorType: AuditActorType;
  readonly actorId: string | null;
  readonly targetType: string | null;
  readonly targetId: string | null;
  readonly outcome: AuditOutcome;
  readonly reason: string;
  readonly network: string | null;
  readonly count: number;
  readonly recorded: number;
}

/** Writes down what happens, in the transaction that does it, for the audit log. */
export class AuditRecorder {
  /** How many refusals have come, of each kind that is being counted at the moment: a flood of them is one statement. */
  private readonly waiting = new Map<string, number>();

  /** @param secretBox makes the MACs, by which it is found where somebody else has written */
  constructor(
    private readonly dataSource: DataSource,
    private readonly secretBox: Pick<SecretBox, 'mac'>,
  ) {}

  /**
   * Records an event.
   * @param tx the transaction of what it tells of, so that there is neither without the other
   */
  async record(tx: Pick<EntityManager, 'query'>, { type, id, client }: AuditActor, event: AuditEvent): Promise<void> {
    const record: RecordContent = {
      id: newId('aud'),
      tenant_id: event.tenantId,
      action: event.action,
      actor_type: type,
      actor_id: asStored(id),
      target_type: event.target?.type ?? null,
      target_id: asStored(event.target?.id),
      outcome: event.outcome ?? 'success',
      reason: asStored(event.reason),
      ip: asStored(client?.address),
      user_agent: asStored(client?.userAgent?.slice(0, MAX_USER_AGENT)),
      request_id: asStored(client?.requestId),
      server_request_id: asStored(client?.serverRequestId),
      salts: randomBytes(SALTS_BYTES),
      created_at: new Date(),
    };
    const values = RECORD_COLUMNS.map((column) => record[column]);
    await tx.query(INSERT, [...values, macOfRecord(this.secretBox, record)]);
  }

  /** Records an event that changes nothing in the database. */
  async recordAlone(actor: AuditActor, event: AuditEvent): Promise<void> {
    await this.record(this.dataSource.manager, actor, event);
  }

  /**
   * Records a refusal, or a failure: the first ones in a window of time as they are, and the number of the others when
   * the window is over, so that whoever asks again and again does not fill the log. Those of somebody unknown are counted
   * by the network that they come from, whatever name was given; of more than 1,000 networks, all the others as one.
   * @param refusal `denied` unless it has another outcome
   * @param windowSeconds 15 minutes unless it is given
   */
  async recordRefusal(actor: AuditActor, refusal: Refusal, windowSeconds = REFUSAL_WINDOW_SECONDS): Promise<void> {
    const { recordedEach = 1 } = refusal;
    const [key] = toKind(actor, refusal);
    const waiting = this.waiting.get(key);
    if (waiting !== undefined && recordedEach === 1) {
      this.waiting.set(key, waiting + 1);
      return;
    }
    this.waiting.set(key, 0);
    let more = 0;
    const counted = await this.count(actor, refusal, windowSeconds).finally(() => {
      more = this.waiting.get(key) ?? 0;
      this.waiting.delete(key);
    });
    if (more > 0) await this.dataSource.query(COUNT_MORE, [counted?.key, more]);
  }

  private count(actor: AuditActor, refusal: Refusal, windowSeconds: number): Promise<CountedRefusal | undefined> {
    const { recordedEach = 1, outcome = 'denied', ...event } = refusal;
    const limits = [windowSeconds, recordedEach];
    return this.dataSource.transaction(async (tx) => {
      const kind = toKind(actor, refusal);
      let [counted] = await tx.query<CountedRefusal[]>(COUNT_REFUSAL, [...kind, ...limits]);
      if (actor.type === 'unknown' && counted?.count === 1 && counted.networks >= MAX_NETWORKS) {
        await tx.query('DELETE FROM audit_refusals WHERE key = $1', [counted.key]);
        const others = toKind(actor, refusal, OTHER_NETWORKS);
        [counted] = await tx.query<CountedRefusal[]>(COUNT_REFUSAL, [...others, ...limits]);
      }
      if (counted && counted.count <= recordedEach) await this.record(tx, actor, { ...event, outcome });
      return counted;
    });
  }

  /** Records how many refusals there were in the windows that are over. */
  async recordEndedWindows(): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const [ended] = await tx.query<[EndedRefusal[], number]>(TAKE_ENDED);
      for (const { actorType, actorId, targetType, targetId, network, count, recorded, ...event } of ended) {
        if (count === recorded) continue;
        const target = targetType === null ? undefined : { type: targetType, id: targetId };
        const reason = `${event.reason}; ${count - recorded} more until the end of the window`;
        const client = network === null ? undefined : { address: network };
        await this.record(tx, { type: actorType, id: actorId, client }, { ...event, target, reason });
      }
    });
  }
}

/** A text as the database gives it back: it has no half of a surrogate pair, over which a MAC would never fit again. */
function asStored(text: string | null | undefined): string | null {
  return text?.toWellFormed() ?? null;
}

/**
 * What refusals have in common that are counted together, behind its hash. Nobody who is unknown is told apart by a name.
 * @param network where somebody unknown comes from
 */
function toKind(
  { type, id, client }: AuditActor,
  { tenantId, action, target, outcome = 'denied', reason }: Refusal,
  network = toSite(client?.address ?? ''),
): [string, ...(string | null)[]] {
  const isUnknown = type === 'unknown';
  const who = isUnknown ? [type, null, null, null] : [type, id, target?.type ?? null, target?.id ?? null];
  const kind = [tenantId, action, ...who, outcome, reason, isUnknown ? network : null];
  return [hash('sha256', JSON.stringify(kind), 'base64url'), ...kind];
}
