import passport from 'passport';
import type { PatPrincipal } from '../../access/caller.js';

/** A passport strategy for personal access tokens, which come as `Authorization: Bearer svc_…`. */
export class ApiTokenStrategy extends passport.Strategy {
  override readonly name = 'api-token';

  /** @param verify throws where the token does not count */
  constructor(private readonly verify: (token: string) => Promise<PatPrincipal>) {
    super();
  }

  /** Ends in exactly one of passport's `success` and `error`. */
  override authenticate(request: { headers: { authorization?: string } }): void {
    const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
    this.verify(token).then(
      (caller) => this.success(caller),
      (error) => this.error(error),
    );
  }
}
