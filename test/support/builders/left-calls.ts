import { randomUUID } from 'node:crypto';
import { eventually } from '../probes/eventually.js';
import { metricValue } from '../probes/metrics.js';
import type { Gateway } from '../servers/gateway.js';
import type { RestAnswer } from '../servers/platform.js';
import type { Piece, Script } from '../servers/scripted-backend.js';
import { newServiceKey } from '../servers/service-key.js';

const SERVICE = newServiceKey();

/** What the gateway of `LeftCalls` is started with. */
export const LEFT_CALLS_ENV = { ...SERVICE.env, RATE_LIMIT_REQUESTS_PER_MINUTE: '0' };

/** A request with an Idempotency-Key, and what its model server answers once it is let. */
export interface SlowCall {
  readonly path: string;
  readonly body: object;
  readonly token?: string;
  readonly key?: string;
  /** @param gate what the model server waits for */
  readonly script: (gate: Promise<void>) => Script;
}

/** A call of a model with an Idempotency-Key that has arrived at its model server. */
export interface BegunCall {
  /** Lets the model server answer. */
  answer(): void;
  /** The client leaves. */
  leave(): void;
  /** Resolves when the gateway has given up. */
  readonly gone: Promise<void>;
  /** Sends the same request once more, or one that is other than said. */
  again(signal?: AbortSignal, body?: object, token?: string): Promise<RestAnswer>;
}

/** Calls of a gateway whose clients leave while the model server still works on the answer. */
export class LeftCalls {
  /** @param gateway with `LEFT_CALLS_ENV` */
  constructor(private readonly gateway: Gateway) {}

  /** How many calls go on without a client. */
  count(): Promise<number> {
    return metricValue(this.gateway.platform, SERVICE.key, 'platform_unattended_calls');
  }

  /** Makes calls, and leaves them once all have arrived at the model server; resolves when they go on without a client. */
  async leave(calls: readonly SlowCall[]): Promise<BegunCall[]> {
    const begun: BegunCall[] = [];
    for (const call of calls) begun.push(await this.begin(call));
    const unattended = await this.count();
    for (const call of begun) call.leave();
    await eventually('the calls go on', 5, async () => (await this.count()) === unattended + calls.length);
    return begun;
  }

  async begin({ path, body, token = this.gateway.token, key = randomUUID(), script }: SlowCall): Promise<BegunCall> {
    const { gateway } = this;
    const [gate, controller] = [Promise.withResolvers<void>(), new AbortController()];
    const again = (signal?: AbortSignal, sent = body, as = token) =>
      gateway.post(path, sent, { token: as, headers: { 'idempotency-key': key }, signal });
    const arrival = gateway.backend.nextRequest();
    gateway.backend.answer(script(gate.promise));
    const refused = again(controller.signal).then(({ body: answer }) => {
      throw new Error(`The call came to no model server: ${JSON.stringify(answer)}`);
    });
    refused.catch(() => undefined);
    const { gone } = await Promise.race([arrival, refused]);
    return { answer: () => gate.resolve(), leave: () => controller.abort(), gone, again };
  }
}

/** A script whose answer does not begin before it is let. */
export function slow(script: Script): SlowCall['script'] {
  return (gate) => ({ ...script, pieces: [gate, ...((script.pieces ?? []) as Iterable<Piece>)] });
}
