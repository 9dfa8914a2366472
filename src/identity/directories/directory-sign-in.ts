import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { Unauthorized, Unavailable } from '../../errors.js';
import type { EgressRule } from '../../platform/net/egress-rule.js';
import type { LdapSettings } from '../providers/provider-settings.js';
import type { OpenedProvider, ProviderStore } from '../providers/provider-store.js';
import { domainOf } from '../users/email-domain.js';
import type { ExternalPeople, ExternalPerson } from '../users/external-people.js';
import type { User } from '../users/user.entity.js';
import { Directory } from './directory.js';
import { personAttributes, readPerson } from './directory-person.js';
import type { DirectoryPerson } from './directory-person.js';
import { findMemberships } from './groups/memberships.js';
import { groupsToSearch } from './groups/groups-to-search.js';
import { DirectoryFailure, LDAP_RESULT } from './ldap/directory-failure.js';
import { isBindPassword } from './ldap/bind-password.js';
import type { LdapConnection } from './ldap/ldap-connection.js';
import { fillFilter } from './ldap/ldap-filter.js';

/** How many times an answer's time a sign-in may take. */
const ANSWERS = 3;
/** Sign-ins by one directory at once, in this process. */
const AT_ONCE = 100;
const RETRY_SECONDS = 5;

/** Codes of a bind that say something of the person, and not of the directory. */
const REFUSALS: ReadonlySet<number> = new Set([
  LDAP_RESULT.constraintViolation,
  LDAP_RESULT.noSuchObject,
  LDAP_RESULT.invalidDnSyntax,
  LDAP_RESULT.inappropriateAuthentication,
  LDAP_RESULT.invalidCredentials,
  LDAP_RESULT.insufficientAccess,
  LDAP_RESULT.unwillingToPerform,
]);

interface DirectorySignInParts {
  readonly store: ProviderStore;
  readonly people: ExternalPeople;
  /** For connections to addresses that tenants have given. */
  readonly rule: EgressRule;
  readonly log: Logger;
}

/** Signs people in by the directory of their address's domain (docs/directories.md, Sign-in). */
export class DirectorySignIn {
  private readonly running = new Map<string, number>();

  constructor(private readonly parts: DirectorySignInParts) {}

  /** The active directory that has the people of an address's domain. @param email as `normalizeEmail` gives it */
  find(email: string): Promise<OpenedProvider<LdapSettings> | undefined> {
    return this.parts.store.findDirectory(domainOf(email));
  }

  /**
   * Signs somebody in: searches for the address, and binds as the entry that was found.
   * @param email as `normalizeEmail` gives it
   * @throws Unauthorized for an unknown address, a wrong password, and whoever may not; Unavailable where the directory
   * cannot be asked
   */
  async signIn(provider: OpenedProvider<LdapSettings>, email: string, password: string): Promise<User> {
    if (!isBindPassword(password)) throw refused();
    const person = await this.ask(provider, email, password);
    return this.parts.people.signIn(provider, person);
  }

  private async ask(provider: OpenedProvider<LdapSettings>, email: string, password: string): Promise<ExternalPerson> {
    const { id } = provider;
    const running = this.running.get(id) ?? 0;
    if (running >= AT_ONCE) throw new Unavailable('Too many sign-ins at the moment. Please try again.', RETRY_SECONDS);
    this.running.set(id, running + 1);
    const signal = AbortSignal.timeout(ANSWERS * provider.settings.timeout_seconds * 1_000);
    try {
      return await Directory.use(provider, this.parts.rule, signal, (directory) =>
        this.prove(directory, email, password),
      );
    } catch (error) {
      if (!(error instanceof DirectoryFailure)) throw error;
      this.parts.log.warn({ provider: id, ...error.facts }, 'a sign-in failed: its directory could not be asked');
      throw new Unavailable('The directory of this address cannot be asked at the moment.', RETRY_SECONDS);
    } finally {
      const left = (this.running.get(id) ?? 1) - 1;
      if (left > 0) this.running.set(id, left);
      else this.running.delete(id);
    }
  }

  private async prove(directory: Directory, email: string, password: string): Promise<ExternalPerson> {
    const { provider } = directory;
    const searching = await directory.connectToSearch();
    const person = await this.findPerson(provider, searching, email);
    // Also without a person: the time must not tell whether there is one.
    const dn = person?.dn ?? `cn=${randomUUID()},${provider.settings.base_dn}`;
    const code = await (await directory.connect()).bind(dn, password);
    if (code !== LDAP_RESULT.success && !REFUSALS.has(code)) {
      throw new DirectoryFailure('result', `The directory refuses a bind with the code ${code}.`, code);
    }
    if (!person || code !== LDAP_RESULT.success) throw refused();
    const { externalId, emails, name } = person;
    if (externalId === undefined) {
      this.warn(provider.id, 'the directory does not tell id_attribute of an entry');
      throw refused();
    }
    const source = groupsToSearch(searching, provider.settings);
    const memberships = await findMemberships(provider.settings, source, person.dn);
    const [main = email] = emails;
    const signInName = main === email ? undefined : email;
    return { externalId, email: main, signInName, username: name, ...memberships };
  }

  /** Whoever has the address, if it is exactly one; it must be theirs by what the directory says of them, whatever the filter finds. */
  private async findPerson(
    { id, settings }: OpenedProvider<LdapSettings>,
    connection: LdapConnection,
    email: string,
  ): Promise<DirectoryPerson | undefined> {
    const { entries } = await connection.search({
      base: settings.base_dn,
      filter: fillFilter(settings.user_filter, 'email', email),
      attributes: personAttributes(settings),
      maxEntries: 2,
    });
    const [entry, other] = entries;
    if (other) this.warn(id, 'several entries have one address');
    if (!entry || other || entry.dn === '') return undefined;
    const person = readPerson(entry, settings);
    if (person.emails.includes(email)) return person;
    // The filter may find by what people can change themselves; the account would get an address that nobody asked for.
    this.warn(id, 'email_attribute of the entry that was found is another address');
    return undefined;
  }

  private warn(provider: string, reason: string): void {
    this.parts.log.warn({ provider }, `a sign-in was refused: ${reason}`);
  }
}

function refused(): Unauthorized {
  return new Unauthorized('The email or the password is wrong.');
}
