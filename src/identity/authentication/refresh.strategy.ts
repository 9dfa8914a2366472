import passport from 'passport';
import type { Grant } from '../sessions/sessions.service.js';

/** A passport strategy for refresh tokens: `refresh_token` in the body is exchanged for the next one. */
export class RefreshStrategy extends passport.Strategy {
  override readonly name = 'refresh';

  /** @param exchange throws where the token does not count */
  constructor(private readonly exchange: (refreshToken: string) => Promise<Grant>) {
    super();
  }

  /** Ends in exactly one of passport's `success` and `error`. */
  override authenticate(request: { body: { refresh_token: string } }): void {
    this.exchange(request.body.refresh_token).then(
      (grant) => this.success(grant),
      (error) => this.error(error),
    );
  }
}
