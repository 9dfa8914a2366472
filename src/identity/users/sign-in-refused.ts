import { Unauthorized } from '../../errors.js';

/**
 * 401: whoever signs in has proven who they are, and may not all the same. The answer is that of wrong credentials; the
 * logs alone learn why.
 */
export class SignInRefused extends Unauthorized {
  /** @param why a sentence without its capital and its full stop, such as `the account is suspended` */
  constructor(
    readonly why: string,
    message = 'The email or the password is wrong.',
  ) {
    super(message);
  }
}
