import { setTimeout as sleep } from 'node:timers/promises';
import { lifeOf } from '../../crash/client.js';
import type { ScenarioEnvironment } from '../../crash/scenario.js';
import { REVOCATION_KINDS } from './kinds.js';
import type { RevocationKind } from './kinds.js';
import { RevocationSite } from './site.js';
import { SteadyLoad } from './steady-load.js';
import type { Target } from './steady-load.js';
import { WatchedToken } from './watched-token.js';

/** After so long nothing may succeed any more, and no stream be open. */
export const PROMISED_MS = 1_000;
/** Tokens that nobody revokes. */
const OTHERS = 30;
/** A token is used for so long after it has ended. */
const AFTER_MS = 2_000;
const GRACE_SECONDS = 2;
/** The end of a grace is told by another clock. */
const EDGE_MS = 50;

/** How the turns of one kind went. */
export interface KindOutcome {
  readonly name: string;
  times: number;
  /** The slowest of all; see `TokenEnd`. */
  lastSuccessMs: number;
  /** Undefined where there are no streams. */
  streamEndMs?: number;
  /** The statuses of requests that failed before the end. */
  readonly failedBefore: number[];
}

/** How long it goes on, and how much is done meanwhile. */
export interface TrialOptions {
  readonly requestsPerSecond: number;
  /** Asked before each turn of each kind, with how many there were. */
  isOver(turn: number): boolean;
}

/** All that was seen. */
export interface TrialResult {
  readonly kinds: readonly KindOutcome[];
  /** Of secrets in a rotation; requests during the overlap. */
  readonly rotation: KindOutcome & { succeeded: number };
  readonly requestsPerSecond: number;
  /** For so long the load itself did nothing, since the machine was busy. */
  readonly longestDelayMs: number;
  /** Requests of tokens that nobody revoked, and those of them that failed. */
  readonly others: { readonly sent: number; readonly failed: number };
}

/** Tokens end in every way, again and again and all ways at once, while they and others are used. */
export class Trial {
  private readonly kinds: KindOutcome[] = [];
  private readonly rotation = { ...outcome('secret rotated'), succeeded: 0 };
  private readonly others = { sent: 0, failed: 0 };

  private constructor(
    private readonly site: RevocationSite,
    private readonly options: TrialOptions,
  ) {}

  static async run(environment: ScenarioEnvironment, options: TrialOptions): Promise<TrialResult> {
    const trial = new Trial(await RevocationSite.start(environment), options);
    return trial.run();
  }

  private async run(): Promise<TrialResult> {
    const { site, kinds, rotation, others } = this;
    const load = new SteadyLoad(
      site.replicas.map((replica) => lifeOf(replica).origin),
      await this.addOthers(),
      this.options.requestsPerSecond,
    );
    try {
      await Promise.all([...REVOCATION_KINDS.map((kind) => this.repeat(load, kind)), this.rotate(load)]);
    } finally {
      await load.stop();
    }
    const { requestsPerSecond, longestDelayMs } = load;
    return { kinds, rotation, others, requestsPerSecond, longestDelayMs };
  }

  private async addOthers(): Promise<Target[]> {
    const { others } = this;
    const answered = (status: number): void => {
      others.sent += 1;
      if (status !== 200) others.failed += 1;
    };
    const targets: Target[] = [];
    while (targets.length < OTHERS) {
      // Personal access tokens outlast any trial.
      const { pat: token } = await this.site.addPerson();
      targets.push({ token, path: '/v1/auth/me', answered });
    }
    return targets;
  }

  private async repeat(load: SteadyLoad, kind: RevocationKind): Promise<void> {
    const all = outcome(kind.name);
    this.kinds.push(all);
    for (let turn = 0; !this.options.isOver(turn); turn += 1) {
      const victim = await kind.prepare(this.site);
      if (!victim) return;
      const { path } = victim;
      const mark = `${kind.name}-${turn}`;
      const watched = await Promise.all(
        victim.tokens.map((token, n) =>
          WatchedToken.start(load, this.site.replicas, { token, path, mark: `${mark}-${n}` }),
        ),
      );
      await Promise.all(watched.map((token) => token.isUsed()));
      const askedAt = performance.now();
      await victim.revoke();
      const endedAt = performance.now();
      await sleep(AFTER_MS);
      for (const token of watched) {
        all.failedBefore.push(...token.failuresBefore(askedAt));
        const { lastSuccessMs, streamEndsMs } = await token.stop(endedAt);
        all.lastSuccessMs = Math.max(all.lastSuccessMs, lastSuccessMs);
        all.streamEndMs = Math.max(all.streamEndMs ?? Number.NEGATIVE_INFINITY, ...streamEndsMs);
      }
      all.times += 1;
    }
  }

  /** Both secrets are good during the overlap, the new one alone after it. */
  private async rotate(load: SteadyLoad): Promise<void> {
    const { site, rotation } = this;
    const path = '/v1/auth/me';
    for (let turn = 0; !this.options.isOver(turn); turn += 1) {
      const { jwt, pat, patId } = await site.addPerson();
      const mark = `rotation-${turn}`;
      const before = await WatchedToken.start(load, site.replicas, { token: pat, path, mark });
      await before.isUsed();
      const body = { grace_seconds: GRACE_SECONDS };
      const answer = await site.send('POST', `/v1/api-tokens/${patId}/rotate`, { token: jwt, body });
      const rotatedAt = performance.now();
      const endsAt = rotatedAt + Date.parse(answer.rotated_at) + GRACE_SECONDS * 1_000 - Date.now();
      const after = await WatchedToken.start(load, [], { token: answer.token, path, mark });
      await sleep(GRACE_SECONDS * 1_000 + AFTER_MS);
      const { lastSuccessMs, streamEndsMs } = await before.stop(endsAt);
      await after.stop(endsAt);
      rotation.failedBefore.push(...before.failuresBefore(endsAt - EDGE_MS));
      rotation.failedBefore.push(...after.failuresBefore(Number.POSITIVE_INFINITY));
      for (const token of [before, after]) rotation.succeeded += token.successesBetween(rotatedAt, endsAt);
      rotation.lastSuccessMs = Math.max(rotation.lastSuccessMs, lastSuccessMs);
      rotation.streamEndMs = Math.max(rotation.streamEndMs ?? Number.NEGATIVE_INFINITY, ...streamEndsMs);
      rotation.times += 1;
    }
  }
}

function outcome(name: string): KindOutcome {
  return { name, times: 0, lastSuccessMs: Number.NEGATIVE_INFINITY, failedBefore: [] };
}
