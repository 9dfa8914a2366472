import type { DirectorySignIn } from '../directories/directory-sign-in.js';
import type { LdapSettings } from '../providers/provider-settings.js';
import type { OpenedProvider } from '../providers/provider-store.js';
import type { User } from '../users/user.entity.js';
import type { UsersService } from '../users/users.service.js';

/** Who decides of a sign-in by a password. */
interface Resolution {
  /** The active directory that checks the password; undefined: the hash that is kept here does. */
  readonly directory?: OpenedProvider<LdapSettings>;
  /** The account with a password of its own that has the address; with a directory it is of no account. */
  readonly local: User | null;
}

/** Says who checks the password of an address, and whose account it is. */
export class SignInAccounts {
  constructor(
    private readonly users: Pick<UsersService, 'findByEmail'>,
    private readonly directories: Pick<DirectorySignIn, 'find'>,
  ) {}

  /** The directory of an address's domain decides alone, whatever local account has the address. @param email as `normalizeEmail` gives it */
  async resolve(email: string): Promise<Resolution> {
    const local = await this.users.findByEmail(email);
    // Somebody must be able to sign in where a directory is set up wrongly.
    return { local, directory: local?.isBootstrap ? undefined : await this.directories.find(email) };
  }

  /** The account that a sign-in with an address is for, proven or not; null where there is none yet. @param email as `normalizeEmail` gives it */
  async find(email: string): Promise<User | null> {
    const { directory, local } = await this.resolve(email);
    return directory ? this.users.findByEmail(email, directory.id) : local;
  }
}
