import { Unauthorized } from '../../errors.js';
import type { StoredUserStatus } from './user.entity.js';

/**
 * 401: whoever signs in has proven to be a user who may not. The answer is that of wrong credentials; the audit log alone
 * learns of the status.
 */
export class AccountNotActive extends Unauthorized {
  constructor(
    readonly accountStatus: StoredUserStatus,
    message = 'The email or the password is wrong.',
  ) {
    super(message);
  }
}
