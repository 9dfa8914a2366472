import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isId } from '../../../src/platform/ids.js';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { AnyJson } from '../../support/probes/any-json.js';
import { eventually } from '../../support/probes/eventually.js';
import { login } from '../client.js';
import { failOn } from '../ledger-check.js';
import type { Replica } from '../replica.js';
import { checkReview } from '../review-check.js';
import { ReviewedSession } from '../reviewed-session.js';
import { SECRET_KEY } from '../scenario.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';
import type { Query } from '../servers.js';

/** What is killed, one of them in each round. */
const STEPS = ['upload', 'extraction', 'bulk-resolve', 'reprocess'] as const;
type Step = (typeof STEPS)[number];

/**
 * A server is killed at some point while documents are sent, read, reviewed in bulk or read once more: one on the embedded
 * database and one on PostgreSQL, in turn.
 */
export const reviewKilled: Scenario = {
  name: 'review killed',
  isSampled: true,
  async run(environment: ScenarioEnvironment): Promise<Figures> {
    const { rounds, roundNumbers } = environment;
    const reviews = [await onEmbedded(environment), await onPostgres(environment)];
    for (const { review } of reviews) await review.play();
    for (const round of roundNumbers) {
      const step = STEPS[Math.floor(round / 2) % STEPS.length];
      await reviews[round % 2]?.review.play(step);
    }
    let items = 0;
    for (const { review, folder, check } of reviews) {
      await untilSwept(folder, review.sessions);
      await review.server.stop();
      items += await check();
    }
    const interrupted = reviews.reduce((sum, { review }) => sum + review.interrupted, 0);
    return { rounds, kills: rounds, interrupted, items };
  },
};

interface PlayedReview {
  readonly review: Review;
  /** Where its server keeps its data. */
  readonly folder: string;
  /** Compares what is left when the server has ended; answers how many items there are. */
  readonly check: () => Promise<number>;
}

async function onEmbedded(environment: ScenarioEnvironment): Promise<PlayedReview> {
  const folder = join(environment.folder, 'embedded');
  const review = await Review.start(environment, { DATA_DIR: folder });
  const check = async (): Promise<number> => {
    const database = await PGlite.create(join(folder, 'postgres'), { extensions: { vector } });
    const query: Query = async <R extends object>(sql: string) => (await database.query<R>(sql)).rows;
    return checkReview(query, review.sessions).finally(() => database.close());
  };
  return { review, folder, check };
}

async function onPostgres(environment: ScenarioEnvironment): Promise<PlayedReview> {
  const folder = join(environment.folder, 'beside-postgres');
  const { url, query } = await environment.database();
  const review = await Review.start(environment, { DATA_DIR: folder, DATABASE_URL: url, SECRET_KEY });
  return { review, folder, check: () => checkReview(query, review.sessions) };
}

/** Waits until there are no bytes but those of documents. */
async function untilSwept(folder: string, sessions: readonly string[]): Promise<void> {
  await eventually('the bytes are those of documents', 60, async () => {
    const names = await readdir(join(folder, 'blobs'), { recursive: true });
    const blobs = names.filter((path) => isId('blob', path.replace(/^.*\//, '').replace(/\.part$/, '')));
    return blobs.length === 3 * sessions.length;
  });
}

/** Sessions that are played from their beginning to their end, one after another. */
class Review {
  readonly sessions: string[] = [];
  /** How many kills have come before the end of what they were to interrupt. */
  interrupted = 0;
  /** How long each step takes at least when nobody disturbs it. */
  private readonly milliseconds = new Map<Step, number>();

  private constructor(
    readonly server: Replica,
    private readonly token: string,
    private readonly environment: ScenarioEnvironment,
  ) {}

  static async start(environment: ScenarioEnvironment, env: Readonly<Record<string, string>>): Promise<Review> {
    const server = environment.replica(env);
    await server.start();
    return new Review(server, await login(server), environment);
  }

  /** @param killed the step that is interrupted; undefined: none */
  async play(killed?: Step): Promise<void> {
    const session = await ReviewedSession.open(this.server, this.token);
    this.sessions.push(session.id);
    await this.step('upload', killed, () => session.upload());
    const sent = (await session.documents()).length;
    if (sent === 0) await session.upload();
    else if (sent !== 3) throw new Error(`Of 3 documents ${sent} were taken.`);
    await this.step('extraction', killed, async () => void (await session.untilRead()));
    requireStatuses(await session.untilRead());

    const decisions = (await session.items()).filter(({ field }) => field !== 'purchase_order').map(decide);
    await this.step('bulk-resolve', killed, () => session.resolveInBulk(decisions));
    await session.resolveInBulk(decisions);
    const decided = decisionsOf(await session.items());
    failOn(compare(decisions, decided));

    await this.step('reprocess', killed, async () => {
      await session.reprocess();
      await session.untilRead();
    });
    requireStatuses(await session.untilRead());
    failOn(compareAll(decided, decisionsOf(await session.items())));
    const { pending_count: pending, status } = await session.send('GET');
    if (pending !== 2 || status !== 'review') throw new Error(`The session is ${status}, ${pending} items wait.`);
    await session.resolveInBulk((await session.items('&status=pending')).map(({ id }) => ({ id, action: 'reject' })));
    const { status: last } = await session.send('GET');
    if (last !== 'completed') throw new Error(`At its end the session is ${last}.`);
  }

  /** Does something; where it is to be interrupted, the server is killed at some point of it, and started again. */
  private async step(step: Step, killed: Step | undefined, work: () => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    if (step !== killed) {
      await work();
      const before = this.milliseconds.get(step) ?? Infinity;
      this.milliseconds.set(step, Math.min(before, performance.now() - startedAt));
      return;
    }
    let isOver = false;
    // What the client is told then is nothing, or that there is no server.
    const done = work().then(
      () => void (isOver = true),
      () => undefined,
    );
    await sleep(this.environment.random.between(0, Math.ceil(this.milliseconds.get(step) ?? 0)));
    if (!isOver) this.interrupted += 1;
    await this.server.kill();
    await this.server.start();
    await done;
  }
}

/** What a person says of an item: each action in turn, the same of each session's. */
function decide({ id, field, proposed_value: proposed }: AnyJson) {
  const at = Number(/\d+/.exec(field)?.[0] ?? 0);
  if (at % 3 === 0) return { id, action: 'accept' } as const;
  if (at % 3 === 1) return { id, action: 'reject', comment: `Not ${at}` } as const;
  return { id, action: 'correct', value: typeof proposed === 'number' ? at + 0.5 : `Corrected ${at}` } as const;
}

const STATUS = { accept: 'accepted', correct: 'corrected', reject: 'rejected' } as const;

/** What people have said, by item. */
function decisionsOf(items: readonly AnyJson[]): ReadonlyMap<string, string> {
  return new Map(
    items.flatMap(({ id, status, value, comment, resolved_by, resolved_at }) =>
      status === 'pending' ? [] : [[id, JSON.stringify({ status, value, comment, resolved_by, resolved_at })]],
    ),
  );
}

/** What was said and is not there. */
function compare(decisions: readonly AnyJson[], decided: ReadonlyMap<string, string>): string[] {
  return decisions.flatMap(({ id, action, value, comment }) => {
    const { status, value: kept, comment: said } = JSON.parse(decided.get(id) ?? '{}');
    const isSame = status === STATUS[action as keyof typeof STATUS] && said === (comment ?? null);
    return isSame && (action === 'accept' || kept === (value ?? null)) ? [] : [`${id} is ${decided.get(id)}`];
  });
}

function compareAll(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const changed = [...before].filter(([id, said]) => after.get(id) !== said);
  const more = after.size === before.size ? [] : [`${before.size} items were decided, then ${after.size}`];
  return [...changed.map(([id, said]) => `${id} was ${said}, and is ${after.get(id)}`), ...more];
}

function requireStatuses(documents: readonly AnyJson[]): void {
  const statuses = documents.map(({ filename, status }) => `${filename} ${status}`).sort();
  if (String(statuses) !== 'first.html ready,second.html ready,torn.pdf failed') throw new Error(String(statuses));
}
