import type { AccessRule } from '../../../src/access/access-rule.js';
import { CALLERS, isSuccess } from './callers.js';
import type { Answer, Caller, Target } from './callers.js';
import type { MatrixBed } from './matrix-bed.js';
import type { IdVariable, Operation } from './operation.js';
import { furnish, idOf, targetsOf } from './resources.js';
import type { Values } from './inputs.js';
import { World } from './world.js';

/** An answer, and what it tells. */
export interface Finding extends Pick<Answer, 'outcome'> {
  /** The answer with `{id}` in place of the id that was sent: to be compared with that to another id. */
  readonly text: string;
  /** The ids and addresses in it that are none of the caller's business, and that it has not sent itself. */
  readonly leaked: readonly string[];
}

/** What an operation has answered to everybody; without an id there is the target `own` alone. */
export interface Row {
  readonly operation: Operation;
  readonly answers: Readonly<Record<Caller, ReadonlyMap<Target, Finding>>>;
}

/** How many operations are tried at once: those that only read in one world, the others each in a world of its own. */
const LANES = 8;

/** Asks every operation as everybody, for every id; first those that only read, so that nothing changes under them. */
export async function runMatrix(bed: MatrixBed, operations: readonly Operation[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const furnished = await World.make(bed);
  await furnish(furnished);
  for (const effect of ['route', 'read', 'change'] as const) {
    const queue = operations.filter((operation) => operation.effect === effect).values();
    const lanes = Array.from({ length: effect === 'route' ? 1 : LANES }, async () => {
      const lane = new Lane(furnished, effect === 'change' ? undefined : furnished);
      for (const operation of queue) rows.push(await lane.try(operation));
    });
    await Promise.all(lanes);
  }
  return rows;
}

class Lane {
  /**
   * @param pattern has one thing of each kind
   * @param world undefined: one is made, and another one after each change
   */
  constructor(
    private readonly pattern: World,
    private world: World | undefined,
  ) {}

  async try(operation: Operation): Promise<Row> {
    const answers: Partial<Record<Caller, ReadonlyMap<Target, Finding>>> = {};
    for (const caller of CALLERS) {
      const ofCaller = new Map<Target, Finding>();
      for (const target of targetsFor(operation, caller))
        ofCaller.set(target, await this.ask(operation, caller, target));
      answers[caller] = ofCaller;
    }
    return { operation, answers: answers as Row['answers'] };
  }

  private async ask(operation: Operation, caller: Caller, target: Target): Promise<Finding> {
    const world = (this.world ??= await World.make(this.pattern.bed, this.pattern));
    const { platform } = world.bed;
    const values = { ...(await operation.valuesFor(world)), ...(await idsOf(operation, world, target)) };
    const token = await world.credentialOf(caller, operation.access);
    const answer = await operation.send({ platform, token, headers: operation.headersFor(values) }, values);
    // What was refused has changed nothing.
    if (operation.effect === 'change' && isSuccess(answer)) this.world = undefined;
    const told = JSON.stringify(answer.body);
    const sent = new Set(textsIn(JSON.stringify(values)));
    const leaked = textsIn(told).filter((text) => {
      const owner = world.bed.owners.get(text);
      // What was done to somebody's own things is in the log of the tenant, by their ids.
      const isLogged = OF_AUDIT_LOG.test(operation.name);
      const isActor = isLogged && text === world.user('sysadmin').id;
      const seen = owner && isLogged ? { ...owner, isPrivate: false } : owner;
      return seen && !sent.has(text) && !isActor && !world.isOpenTo(caller, seen);
    });
    const text = operation.id ? told.replaceAll(String(values[operation.id.name]), '{id}') : told;
    return { outcome: answer.outcome, text, leaked };
  }
}

/** Of those who may see something by an id, who sends what has not even the form of one: who may least, and most. */
const SENDERS_OF_NONSENSE: readonly Caller[] = ['user', 'sysadmin'];

/** A credential is refused before an id is looked at: one that names something and one that names nothing show it. */
function targetsFor({ id, access: { rule } }: Operation, caller: Caller): readonly Target[] {
  if (!id) return ['own'];
  if (rule && isRefusedAlone(caller, rule)) return ['own', 'unknown'];
  return targetsOf(id.kind).filter((target) => target !== 'malformed' || SENDERS_OF_NONSENSE.includes(caller));
}

/** Whether it is the credential that is refused, whatever is asked for. */
function isRefusedAlone(caller: Caller, { credential, scope }: AccessRule): boolean {
  if (caller === 'service') return credential !== 'service';
  if (caller === 'no scope') return credential === 'jwt' || scope !== undefined;
  return caller === 'none' || caller === 'expired' || caller === 'revoked';
}

/** The audit log tells the administrators of a tenant who has acted there, sysadmins too, and on what. */
const OF_AUDIT_LOG = /auditLog|audit-logs/;

/** What stands between quotes, also in the JSON of a stream, whose quotes are escaped here. */
function textsIn(json: string): string[] {
  return json.split(/\\*"/);
}

async function idsOf({ id, otherIds }: Operation, world: World, target: Target): Promise<Values> {
  const values: Record<string, unknown> = {};
  const add = async ({ name, kind, isList }: IdVariable, of: Target): Promise<void> => {
    const value = await idOf(world, kind, of);
    values[name] = isList ? [value] : value;
  };
  for (const other of otherIds) await add(other, 'own');
  if (id) await add(id, target);
  return values;
}
