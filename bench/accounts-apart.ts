import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { addAccounts, withDatabase } from './accounts.js';
import { callApi } from './api.js';
import { account, gateway } from './contenders.js';
import type { Environment } from './environment.js';
import { percentile } from './load.js';
import type { Target } from './load.js';
import type { Figure, Section } from './section.js';

/** Requests of each kind: each for an address that was not asked for before. */
const REQUESTS = 100;
const QUICK_REQUESTS = 10;
const WARM_UP = 5;

/** Whose address it is. The first is what the others must not be told from. */
const COLUMNS = ['nobody', 'somebody', 'suspended', 'unconfirmed', 'invited', 'of a directory'] as const;
type Owner = (typeof COLUMNS)[number];

/** Something that strangers ask for by an address. */
interface Question {
  readonly row: string;
  /** The status of its answer; of owners that are not here, it is not asked. */
  readonly statuses: Partial<Readonly<Record<Owner, number>>>;
  ask(origin: string, email: string): Promise<Response>;
}

const WRONG = 'seven quiet herons by the lake';

const QUESTIONS: readonly Question[] = [
  {
    row: 'sign-in with a wrong password',
    statuses: { nobody: 401, somebody: 401, suspended: 401, unconfirmed: 401, invited: 401 },
    ask: (origin, email) => post(origin, 'login', { email, password: WRONG }),
  },
  {
    row: 'sign-in with the right password',
    statuses: { nobody: 401, suspended: 401 },
    ask: (origin, email) => post(origin, 'login', { email, password: account.password }),
  },
  {
    row: 'request of a password reset',
    statuses: { nobody: 200, somebody: 200, suspended: 200, unconfirmed: 200, invited: 200, 'of a directory': 200 },
    ask: (origin, email) => post(origin, 'password-reset-request', { email }),
  },
  {
    row: 'check-registration',
    statuses: { nobody: 200, somebody: 200, suspended: 200, unconfirmed: 200, invited: 200, 'of a directory': 200 },
    ask: (origin, email) => fetch(`${origin}/v1/auth/check-registration?email=${email}`),
  },
  // The last, since it makes accounts.
  {
    row: 'registration',
    statuses: { nobody: 201, somebody: 409, suspended: 409, unconfirmed: 201, invited: 409, 'of a directory': 403 },
    ask: (origin, email) => post(origin, 'register', { email, password: WRONG, name: 'Bench' }),
  },
];

/** Whether the time of an answer to a stranger tells whose the address is. */
export function accountsApart(environment: Environment, isQuick: boolean): Section {
  const requests = isQuick ? QUICK_REQUESTS : REQUESTS;
  let round: ReadonlyMap<string, readonly Figure[]> = new Map();
  return {
    name: 'accounts-apart',
    title: 'Whether time tells accounts apart',
    about: `PostgreSQL; ${requests} requests of each kind, in random order one after another, each for another address: nobody's, or that
of an account. "Slower" is how often a request took longer than one for nobody's address, of all pairs of both: 50 % is
what cannot be told. + is the difference of the medians, and of the 95th percentiles.`,
    rounds: 1,
    columns: COLUMNS,
    yardstick: COLUMNS[0],
    // The requests of all columns are mixed: what disturbs one disturbs all.
    measure: async (column) => {
      if (column === COLUMNS[0]) round = await measureRound(environment, requests);
      return round.get(column) ?? [];
    },
  };
}

async function measureRound(environment: Environment, requests: number): Promise<ReadonlyMap<Owner, Figure[]>> {
  const settings = { DATA_DIR: environment.path('data') };
  const running = await gateway(environment, 'this server', { onAllCores: true, settings }).start();
  try {
    return await withDatabase(running.database, async (database) => {
      await addPeople(running.target, database, requests + WARM_UP);
      const figures = new Map<Owner, Figure[]>(COLUMNS.map((owner) => [owner, []]));
      for (const question of QUESTIONS) {
        const times = await timesOf(question, running.target.origin, database, requests);
        for (const [owner, of] of times) figures.get(owner)?.push(...figuresOf(question.row, of, times.get('nobody')));
      }
      return figures;
    });
  } finally {
    await running.stop();
  }
}

/** As many of each kind as there are requests; a question asks for each once. */
async function addPeople(admin: Target, database: Client, count: number): Promise<void> {
  await addAccounts(database, { name: 'somebody', count });
  await addAccounts(database, { name: 'suspended', count, status: 'suspended' });
  await addAccounts(database, { name: 'unconfirmed', count, isPending: true });
  await addAccounts(database, { name: 'invited', count });
  await database.query("UPDATE users SET password_hash = NULL, confirmed = false WHERE email LIKE 'invited%'");
  await database.query('VACUUM ANALYZE users');
  const directory = { kind: 'ldap', name: 'Directory', domains: ['directory.test'], base_dn: 'dc=directory,dc=test' };
  // Nobody listens there, and nobody is asked: these accounts have no password here.
  const body = { ...directory, url: 'ldaps://127.0.0.1:6360' };
  await callApi(admin, { method: 'POST', path: '/v1/admin/identity-providers', body });
}

async function timesOf(question: Question, origin: string, database: Client, requests: number) {
  const owners = COLUMNS.filter((owner) => question.statuses[owner] !== undefined);
  const times = new Map<Owner, number[]>(owners.map((owner) => [owner, []]));
  for (let number = 1; number <= WARM_UP + requests; number += 1) {
    for (const owner of shuffled(owners)) {
      // Who asks this often would be refused.
      await database.query('DELETE FROM attempt_counters');
      const took = await timeOf(question, owner, origin, addressOf(owner, number));
      if (number > WARM_UP) times.get(owner)?.push(took);
    }
  }
  for (const of of times.values()) of.sort((a, b) => a - b);
  return times;
}

/** @throws Error where the answer is not the expected one */
async function timeOf({ row, statuses, ask }: Question, owner: Owner, origin: string, email: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await ask(origin, email);
  const text = await answer.text();
  const took = performance.now() - startedAt;
  if (answer.status === statuses[owner]) return took;
  throw new Error(`${row}, ${owner}: answered ${answer.status}: ${text}`);
}

function addressOf(owner: Owner, number: number): string {
  if (owner === 'nobody') return `nobody${randomBytes(6).toString('hex')}@example.test`;
  return owner === 'of a directory' ? `person${number}@directory.test` : `${owner}${number}@example.test`;
}

function figuresOf(row: string, times: readonly number[], nobody: readonly number[] = []): Figure[] {
  return [
    { row: `${row}: p50, ms`, value: percentile(times, 0.5), against: 'added' },
    { row: `${row}: p95, ms`, value: percentile(times, 0.95), against: 'added' },
    { row: `${row}: slower, %`, value: times === nobody ? 50 : shareSlower(times, nobody) },
  ];
}

/** Of all pairs, the percentage in which the first is slower. */
function shareSlower(times: readonly number[], others: readonly number[]): number {
  const slower = times.reduce((count, time) => count + others.filter((other) => time > other).length, 0);
  return (100 * slower) / (times.length * others.length);
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}

function post(origin: string, path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${origin}/v1/auth/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}
