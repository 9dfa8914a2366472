import { setTimeout as sleep } from 'node:timers/promises';
import { makeCall } from './client.js';
import type { Call, CallResult } from './client.js';
import type { Random } from './random.js';
import type { Replica } from './replica.js';

interface LoadParts {
  readonly replicas: readonly Replica[];
  readonly token: string;
  readonly random: Random;
  /** How many clients call at once. */
  readonly clients: number;
  /** The marks begin with it. */
  readonly name: string;
}

/** Clients that call one replica after another, in every way, until they are told to stop. */
export class Load {
  readonly results: CallResult[] = [];
  private stopping = false;
  private answered = Promise.withResolvers<CallResult>();
  private number = 0;
  private readonly work: Promise<void>[];

  constructor(private readonly parts: LoadParts) {
    this.work = Array.from({ length: parts.clients }, () => this.runClient());
  }

  /** Resolves as soon as another client has its whole answer. */
  nextAnswer(): Promise<CallResult> {
    return this.answered.promise;
  }

  /** Lets the calls that have begun end. */
  async stop(): Promise<readonly CallResult[]> {
    this.stopping = true;
    await Promise.all(this.work);
    return this.results;
  }

  private async runClient(): Promise<void> {
    const { replicas, token, random } = this.parts;
    while (!this.stopping) {
      const { life } = random.pick(replicas);
      if (!life) {
        await sleep(10);
        continue;
      }
      const result = await makeCall(life, token, this.nextCall());
      this.results.push(result);
      if (result.sight === 'whole') {
        this.answered.resolve(result);
        this.answered = Promise.withResolvers();
      }
      // Nobody is there: a client that tries again at once would only burn the processor.
      if (result.sight === 'lost' || result.sight === 'refused') await sleep(50);
    }
  }

  private nextCall(): Call {
    const { random, name } = this.parts;
    this.number += 1;
    return {
      mark: `${name}-${this.number}`,
      stream: random.chance(0.5),
      pace: { pieces: random.between(1, 6), milliseconds: random.between(0, 40) },
      ...(random.chance(0.1) && { leavesAfterMs: random.between(1, 150) }),
    };
  }
}
