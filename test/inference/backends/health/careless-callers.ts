import { addSignedInUser } from '../../../support/builders/accounts.js';
import { userMessage } from '../../../support/builders/chat-request.js';
import { startGateway } from '../../../support/servers/gateway.js';
import type { Gateway } from '../../../support/servers/gateway.js';
import type { RestAnswer } from '../../../support/servers/platform.js';
import { helloTo, json } from '../../../support/servers/scripted-backend.js';
import type { ReceivedRequest, Script } from '../../../support/servers/scripted-backend.js';

/** What servers cannot digest. */
export const BAD = 'what the server cannot digest';

/** Users whose calls a gateway sends to servers that fail at some of them. */
export class CarelessCallers {
  private constructor(
    readonly gateway: Gateway,
    private readonly tokens: readonly string[],
  ) {}

  /**
   * @param bad how the servers answer what they cannot digest
   * @param settings of each server, or in an array of the first ones
   */
  static async start(
    count: number,
    users: number,
    bad: Script,
    settings: object | readonly object[] = {},
  ): Promise<CarelessCallers> {
    const backends = Array.from({ length: count }, (_, index) => {
      return { id: `gpu-${index}`, ...(Array.isArray(settings) ? settings[index] : settings) };
    });
    const gateway = await startGateway({ servers: count, backends, env: { RATE_LIMIT_REQUESTS_PER_MINUTE: '0' } });
    for (const backend of gateway.backends) backend.byDefault = (request) => (isBad(request) ? bad : helloTo(request));
    const added = Array.from({ length: users }, () => addSignedInUser(gateway.platform));
    return new CarelessCallers(
      gateway,
      (await Promise.all(added)).map(({ token }) => token),
    );
  }

  ask(user: number, text: string, members: object = {}, headers?: Record<string, string>): Promise<RestAnswer> {
    return this.gateway.chat({ messages: [userMessage(text)], ...members }, { token: this.tokens[user], headers });
  }

  embed(user: number): Promise<RestAnswer> {
    return this.gateway.post('/v1/embeddings', { model: 'scripted', input: 'Hi' }, { token: this.tokens[user] });
  }

  /** Of each server, whether it is well. */
  async health(): Promise<boolean[]> {
    const { body } = await this.gateway.get('/v1/backends', { token: this.tokens[0] });
    return body.data.slice(0, this.gateway.backends.length).map(({ healthy }: { healthy: boolean }) => healthy);
  }
}

/** A refusal that says why. */
export function refusal(status: number, message: string): Script {
  return json(status, { error: { code: status, message } });
}

/** Whether servers cannot digest it. */
export function isBad({ body }: ReceivedRequest): boolean {
  return JSON.stringify(body).includes(BAD);
}
