import { startGateway } from './gateway.js';
import type { Gateway, GatewayOptions } from './gateway.js';
import { addSanitizerPolicy, deleteSanitizerPolicies } from '../builders/sanitizer-policy.js';
import type { AnyJson } from '../probes/any-json.js';

/** A rule for addresses of mail, both ways. */
export const EMAIL_RULE = { kind: 'email', action: 'mask', applies_to: 'both' } as const;

/** A gateway whose calls have no policy but the one that a test sets. */
export class SanitizedGateway {
  private constructor(readonly gateway: Gateway) {}

  static async start(options?: GatewayOptions): Promise<SanitizedGateway> {
    return new SanitizedGateway(await startGateway(options));
  }

  /** Replaces all policies by one for everybody. @param rules put over `EMAIL_RULE` each */
  async use(rules: readonly object[], members: object = {}): Promise<string> {
    const { platform, token } = this.gateway;
    await deleteSanitizerPolicies(platform, token);
    this.gateway.backend.reset();
    const body = { rules: rules.map((rule) => ({ ...EMAIL_RULE, ...rule })), ...members };
    const answer = await addSanitizerPolicy(platform, token, body);
    if (answer.status !== 201) throw new Error(`The policy was refused: ${JSON.stringify(answer.body)}`);
    return answer.body.id as string;
  }

  /** The bodies that the model server has got, as text. */
  get sent(): string {
    return JSON.stringify(this.gateway.backend.requests.map(({ body }): AnyJson => body));
  }

  close(): Promise<void> {
    return this.gateway.close();
  }
}
