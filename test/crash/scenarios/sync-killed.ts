import { setTimeout as sleep } from 'node:timers/promises';
import { Attribute, Change } from 'ldapts';
import type { Client, Entry } from 'ldapts';
import { directorySettings } from '../../support/builders/directories.js';
import { DirectoryServer, isSlapdInstalled, personDn, SUFFIX } from '../../support/servers/directory-server.js';
import { eventually } from '../../support/probes/eventually.js';
import { lifeOf, login, request } from '../client.js';
import { failOn } from '../ledger-check.js';
import type { Random } from '../random.js';
import type { Replica } from '../replica.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';
import type { Query } from '../servers.js';

const PEOPLE = 1_500;
/** Most syncs are under way for so long after they were asked for. */
const LONGEST_LIFE_MS = 2_500;
const COUNTED = ['created', 'updated', 'suspended', 'unchanged', 'failed'] as const;

/** A directory is synced, every process is killed at some point of it, and the accounts are what the directory says. */
export const syncKilled: Scenario = {
  name: 'sync killed',
  lacks: () => (isSlapdInstalled() ? undefined : 'slapd is not installed: apt-get install slapd ldap-utils'),
  async run(environment: ScenarioEnvironment): Promise<Figures> {
    const { random } = environment;
    const directory = await DirectoryServer.start(
      Array.from({ length: PEOPLE }, (_, n) => ({ uid: `p${n}` })),
      {},
    );
    environment.onClose(() => directory.close());
    const { replicas, query } = await environment.replicas(await environment.upstream(), { count: 2 });
    const staff = new Staff(directory, random);
    const body = directorySettings(directory);
    const providerId = (await ask(replicas, 'POST', '/v1/admin/identity-providers', body)).id as string;
    const rounds = Math.ceil(environment.rounds / 5);
    let interrupted = 0;
    for (let round = 0; round < rounds; round += 1) {
      if (round > 0) await staff.change(round);
      const before = await accountsOf(query, providerId);
      const path = `/v1/admin/directories/${providerId}/sync`;
      const { id } = await ask(replicas, 'POST', path, { full: true, force: true });
      await sleep(random.between(0, LONGEST_LIFE_MS));
      await Promise.all(replicas.map((replica) => replica.kill()));
      const [left] = await query('SELECT FROM directory_syncs WHERE id = $1 AND finished_at IS NULL', [id]);
      if (left) interrupted += 1;
      await Promise.all(replicas.map((replica) => replica.start()));
      const sync = await eventually('the sync is over', 120, async () => {
        const [row] = await query<SyncRow>('SELECT * FROM directory_syncs WHERE id = $1', [id]);
        return row?.finished_at != null && row;
      });
      failOn(compare(sync, before, await entriesOf(directory), await accountsOf(query, providerId)));
    }
    await Promise.all(replicas.map((replica) => replica.stop()));
    return { rounds, interrupted, people: staff.count };
  },
};

type Counts = Record<(typeof COUNTED)[number], number>;

interface SyncRow {
  readonly status: string;
  readonly counts: Counts;
  readonly errors: readonly string[];
  readonly finished_at: Date | null;
}

/** A person, as the directory or the accounts tell. */
interface Person {
  readonly external_id: string;
  readonly email: string;
  readonly username: string;
}

interface Account extends Person {
  readonly status: string;
}

/** Those who are in the directory, come, go, and get other names and addresses. */
class Staff {
  private readonly present: string[] = Array.from({ length: PEOPLE }, (_, n) => `p${n}`);

  constructor(
    private readonly directory: DirectoryServer,
    private readonly random: Random,
  ) {}

  get count(): number {
    return this.present.length;
  }

  /** Changes some of them. @param round names those who come */
  async change(round: number): Promise<void> {
    const { random } = this;
    await this.directory.change(async (client) => {
      // An account keeps the address of somebody who has left, so those who exchange theirs stay.
      for (let count = random.between(5, 100); count > 0; count -= 1) await this.remove(client);
      for (let count = random.between(50, 300); count > 0; count -= 1) {
        await replace(client, random.pick(this.present), 'displayName', `Name ${round}-${count}`);
      }
      for (let count = random.between(5, 30); count > 0; count -= 1) await this.exchangeAddresses(client);
      for (let count = random.between(5, 100); count > 0; count -= 1) await this.add(client, `n${round}x${count}`);
    });
  }

  private async exchangeAddresses(client: Client): Promise<void> {
    const [one, other] = [this.random.pick(this.present), this.random.pick(this.present)];
    if (one === other) return;
    const [addressOfOne, addressOfOther] = [await addressOf(client, one), await addressOf(client, other)];
    await replace(client, one, 'mail', addressOfOther);
    await replace(client, other, 'mail', addressOfOne);
  }

  private async remove(client: Client): Promise<void> {
    const [uid = ''] = this.present.splice(this.random.between(0, this.present.length - 1), 1);
    await client.del(personDn(uid));
  }

  private async add(client: Client, uid: string): Promise<void> {
    const attributes = { objectClass: 'inetOrgPerson', uid, cn: uid, sn: uid, mail: `${uid}@example.test` };
    await client.add(personDn(uid), attributes);
    this.present.push(uid);
  }
}

/** What does not fit together, a sentence each. */
function compare(
  sync: SyncRow,
  before: readonly Account[],
  entries: readonly Person[],
  accounts: readonly Account[],
): string[] {
  const problems = sync.status === 'completed' ? [] : [`the sync is ${sync.status}: ${sync.errors.join(' ')}`];
  const byId = new Map(accounts.map((account) => [account.external_id, account]));
  const former = new Map(before.map((account) => [account.external_id, account]));
  const known = new Set(entries.map((entry) => entry.external_id));
  if (byId.size !== accounts.length) problems.push(`${accounts.length - byId.size} people have a second account`);
  const counts: Counts = { created: 0, updated: 0, suspended: 0, unchanged: 0, failed: 0 };
  for (const entry of entries) {
    const expected = { ...entry, status: 'active' };
    const account = byId.get(entry.external_id);
    if (!isSame(account, expected)) {
      problems.push(`an account is ${JSON.stringify(account)}, not ${JSON.stringify(expected)}`);
    }
    const was = former.get(entry.external_id);
    counts[!was ? 'created' : isSame(was, expected) ? 'unchanged' : 'updated'] += 1;
  }
  for (const { external_id: id, status } of accounts) {
    if (!known.has(id) && !former.has(id)) problems.push(`${id} has an account, and was never in the directory`);
    if (!known.has(id) && status !== 'suspended') problems.push(`${id} has left the directory, and is ${status}`);
  }
  for (const { external_id: id, status } of before) {
    if (!byId.has(id)) problems.push(`the account of ${id} is gone`);
    if (!known.has(id) && status === 'active') counts.suspended += 1;
  }
  for (const name of COUNTED) {
    if (sync.counts[name] !== counts[name]) {
      problems.push(`${name} is counted as ${sync.counts[name]}, and is ${counts[name]}`);
    }
  }
  return problems;
}

function isSame(one: Account | undefined, other: Account): boolean {
  return (
    one?.email === other.email &&
    one.username === other.username &&
    one.status === other.status &&
    one.external_id === other.external_id
  );
}

function accountsOf(query: Query, providerId: string): Promise<Account[]> {
  return query<Account>('SELECT external_id, email, username, status FROM users WHERE identity_provider_id = $1', [
    providerId,
  ]);
}

/** As the directory itself tells. */
function entriesOf(directory: DirectoryServer): Promise<Person[]> {
  return directory.change(async (client) => {
    const attributes = ['entryUUID', 'mail', 'displayName', 'cn'];
    const { searchEntries } = await client.search(`ou=people,${SUFFIX}`, {
      filter: '(mail=*)',
      attributes,
      paged: true,
    });
    return searchEntries.map((entry) => ({
      external_id: textOf(entry, 'entryUUID'),
      email: textOf(entry, 'mail'),
      username: textOf(entry, 'displayName') || textOf(entry, 'cn'),
    }));
  });
}

async function addressOf(client: Client, uid: string): Promise<string> {
  const { searchEntries } = await client.search(personDn(uid), { scope: 'base', attributes: ['mail'] });
  const [entry] = searchEntries as [Entry];
  return textOf(entry, 'mail');
}

/** Of an attribute with one value; empty where there is none. */
function textOf(entry: Entry, name: string): string {
  return String(entry[name] ?? '');
}

function replace(client: Client, uid: string, type: string, value: string): Promise<void> {
  const modification = new Attribute({ type, values: [value] });
  return client.modify(personDn(uid), new Change({ operation: 'replace', modification }));
}

/** Asks the first replica as the administrator. */
async function ask(replicas: readonly Replica[], method: string, path: string, body: object) {
  const [first] = replicas as [Replica];
  const answer = await request(lifeOf(first), method, path, { token: await login(first), body });
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}
