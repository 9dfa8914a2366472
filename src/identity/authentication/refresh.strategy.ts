import passport from 'passport';
import type { Client } from '../../access/client.js';
import type { Grant } from '../sessions/sessions.service.js';

/** A passport strategy for refresh tokens: `refresh_token` in the body is exchanged for the next one. */
export class RefreshStrategy extends passport.Strategy {
  override readonly name = 'refresh';

  /** @param exchange throws where the token does not count */
  constructor(private readonly exchange: (client: Client, refreshToken: string) => Promise<Grant>) {
    super();
  }

  /** Ends in exactly one of passport's `success` and `error`. */
  override authenticate(request: { client?: Client; body: { refresh_token: string } }): void {
    // Whoever runs it says where the token comes from.
    this.exchange(request.client as Client, request.body.refresh_token).then(
      (grant) => this.success(grant),
      (error) => this.error(error),
    );
  }
}
