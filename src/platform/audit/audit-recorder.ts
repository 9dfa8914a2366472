import { hash, randomBytes } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import type { SecretBox } from '../crypto/secret-box.js';
import { newId } from '../ids.js';
import { toSite } from '../net/client-network.js';
import { SALTS_BYTES } from './audit-record.entity.js';
import { macOfRecord, RECORD_COLUMNS, WRITTEN_COLUMNS } from './record-mac.js';
import type { RecordContent } from './record-mac.js';
import { isOwnRefusal, macOfRefusal, REFUSAL_COLUMNS } from './refusal-mac.js';
import type { RefusalContent, WrittenRefusal } from './refusal-mac.js';
import type { AuditActor, AuditEvent } from './audit-event.js';

const PLACES = [...RECORD_COLUMNS, 'mac'].map((_column, index) => index + 1);
const INSERT = `INSERT INTO audit_records (${WRITTEN_COLUMNS}) VALUES `;

const COUNT_REFUSAL = `
  INSERT INTO audit_refusals AS r (key, ${REFUSAL_COLUMNS.join(', ')}, mac, count, recorded, ends_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 1, 1, now() + make_interval(secs => $12))
  ON CONFLICT (key) DO UPDATE SET count = r.count + 1, recorded = LEAST(r.count + 1, $13)
  RETURNING key, count, (SELECT count(*)::integer FROM audit_refusals WHERE network IS NOT NULL) AS networks`;

const COUNT_MORE = 'UPDATE audit_refusals SET count = count + $2 WHERE key = $1';

const TAKE_ENDED = `
  DELETE FROM audit_refusals WHERE ends_at < now()
  RETURNING ${REFUSAL_COLUMNS.join(', ')}, mac, count, recorded`;

/** Of a record of what somebody else has written: its entry never verifies. */
const NO_MAC = Buffer.alloc(0);

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

interface SealedRecord {
  readonly record: RecordContent;
  readonly mac: Buffer;
}

interface EndedRefusal extends WrittenRefusal {
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
  async record(tx: Pick<EntityManager, 'query'>, actor: AuditActor, event: AuditEvent): Promise<void> {
    await this.recordAll(tx, actor, [event]);
  }

  /** The same for several events, of which a transaction has some hundred at most, in one statement. */
  async recordAll(tx: Pick<EntityManager, 'query'>, actor: AuditActor, events: readonly AuditEvent[]): Promise<void> {
    const records = events.map((event) => toRecord(actor, event));
    await insert(
      tx,
      records.map((record) => ({ record, mac: macOfRecord(this.secretBox, record) })),
    );
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
    const key = toKey(toKind(actor, refusal));
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

  /** What the counting statement is given of a kind. @param network as in `toKind` */
  private countedKind(actor: AuditActor, refusal: Refusal, network?: string): unknown[] {
    const content = toKind(actor, refusal, network);
    const values = REFUSAL_COLUMNS.map((column) => content[column]);
    return [toKey(content), ...values, macOfRefusal(this.secretBox, content)];
  }

  private count(actor: AuditActor, refusal: Refusal, windowSeconds: number): Promise<CountedRefusal | undefined> {
    const { recordedEach = 1, outcome = 'denied', ...event } = refusal;
    const limits = [windowSeconds, recordedEach];
    return this.dataSource.transaction(async (tx) => {
      const kind = this.countedKind(actor, refusal);
      let [counted] = await tx.query<CountedRefusal[]>(COUNT_REFUSAL, [...kind, ...limits]);
      if (actor.type === 'unknown' && counted?.count === 1 && counted.networks >= MAX_NETWORKS) {
        await tx.query('DELETE FROM audit_refusals WHERE key = $1', [counted.key]);
        const others = this.countedKind(actor, refusal, OTHER_NETWORKS);
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
      for (const refusal of ended) {
        if (refusal.count <= refusal.recorded) continue;
        const record = toRecordOfMore(refusal);
        const isOurs = isOwnRefusal(this.secretBox, refusal);
        await insert(tx, [{ record, mac: isOurs ? macOfRecord(this.secretBox, record) : NO_MAC }]);
      }
    });
  }
}

async function insert(tx: Pick<EntityManager, 'query'>, records: readonly SealedRecord[]): Promise<void> {
  if (records.length === 0) return;
  const rows = records.map((_, row) => `(${PLACES.map((place) => `$${row * PLACES.length + place}`).join(', ')})`);
  const values = records.flatMap(({ record, mac }) => [...RECORD_COLUMNS.map((column) => record[column]), mac]);
  await tx.query(INSERT + rows.join(', '), values);
}

function toRecord({ type, id, client }: AuditActor, event: AuditEvent): RecordContent {
  return {
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
}

/** What is recorded of refusals that were counted, whoever has written that: it has an outcome that refusals can have. */
function toRecordOfMore(refusal: EndedRefusal): RecordContent {
  const { actor_type: type, actor_id: id, target_type: targetType, network, count, recorded } = refusal;
  const actor = { type, id, client: network === null ? undefined : { address: network } } as AuditActor;
  return toRecord(actor, {
    tenantId: refusal.tenant_id,
    action: refusal.action as AuditEvent['action'],
    target: targetType === null ? undefined : { type: targetType, id: refusal.target_id },
    outcome: refusal.outcome === 'failure' ? 'failure' : 'denied',
    reason: `${refusal.reason}; ${count - recorded} more until the end of the window`,
  });
}

/** A text as the database gives it back: it has no half of a surrogate pair, over which a MAC would never fit again. */
function asStored(text: string | null | undefined): string | null {
  return text?.toWellFormed() ?? null;
}

/**
 * What refusals have in common that are counted together. Nobody who is unknown is told apart by a name.
 * @param network where somebody unknown comes from
 */
function toKind(
  { type, id, client }: AuditActor,
  { tenantId, action, target, outcome = 'denied', reason }: Refusal,
  network = toSite(client?.address ?? ''),
): RefusalContent {
  const isUnknown = type === 'unknown';
  const told = isUnknown ? { id: null, target: undefined } : { id, target };
  return {
    tenant_id: tenantId,
    action,
    actor_type: type,
    actor_id: asStored(told.id),
    target_type: told.target?.type ?? null,
    target_id: asStored(told.target?.id),
    outcome,
    reason: reason.toWellFormed(),
    network: isUnknown ? asStored(network) : null,
  };
}

/** The key of a kind of refusals: the hash of what they have in common. */
function toKey(kind: RefusalContent): string {
  return hash('sha256', JSON.stringify(REFUSAL_COLUMNS.map((column) => kind[column])), 'base64url');
}
