import { createHash } from 'node:crypto';
import { CooperativeYield } from '../../../platform/async/cooperative-yield.js';
import type { LdapSettings } from '../../providers/provider-settings.js';
import { changedAttribute, personAttributes, readPerson, textsOf } from '../directory-person.js';
import type { DirectoryPerson } from '../directory-person.js';
import { DirectoryFailure, LDAP_RESULT } from '../ldap/directory-failure.js';
import { normalizeDn } from '../ldap/distinguished-name.js';
import type { LdapConnection } from '../ldap/ldap-connection.js';
import { SyncFailure } from './sync-failure.js';

/** RFC 2696; Active Directory gives 1,000 at most. */
const PAGE = 500;
const MAX_PAGE_BYTES = 32 * 1024 * 1024;
const MAX_PEOPLE = 200_000;
/** Pages may be smaller than asked for, or empty. */
const MAX_PAGES = 4 * (MAX_PEOPLE / PAGE);
/** How far clocks may be apart. */
const MARGIN_MS = 10 * 60 * 1_000;

/** Reads the people of a directory page by page. */
export class DirectoryScan {
  /** The latest change of an entry that was read, in the directory's own time. */
  private latestChange = '';

  constructor(
    private readonly connection: LdapConnection,
    private readonly settings: LdapSettings,
    /** Called when the directory has told some entries. */
    private readonly moved: () => void,
  ) {}

  /**
   * Reads whoever has an address in the domains of the provider, and the entries that do not say who they are.
   * @param since those alone that have changed since then, as `nextHighWater` gave it
   * @throws DirectoryFailure, SyncFailure where there are too many
   */
  async *pages(since?: string): AsyncGenerator<DirectoryPerson[], void, undefined> {
    const { base_dn: base, sync_filter: own } = this.settings;
    const all = own.startsWith('(') ? own : `(${own})`;
    const filter = since === undefined ? all : `(&${all}(${changedAttribute(this.settings)}>=${since}))`;
    const search = { base, filter, attributes: personAttributes(this.settings), maxBytes: MAX_PAGE_BYTES };
    const turn = new CooperativeYield();
    let [pages, people] = [0, 0];
    for (let cookie: Buffer | undefined; pages === 0 || cookie; pages += 1) {
      const found = await this.connection.search({ ...search, maxEntries: PAGE, page: { cookie } });
      if (found.code !== LDAP_RESULT.success) {
        throw new DirectoryFailure(
          'result',
          'The directory does not show bind_dn all entries: its size limit is too low.',
          found.code,
        );
      }
      cookie = found.cookie;
      people += found.entries.length;
      if (people > MAX_PEOPLE || pages > MAX_PAGES) {
        throw new SyncFailure(`The directory has more than ${MAX_PEOPLE} entries that fit sync_filter.`);
      }
      if (found.entries.length > 0) this.moved();
      const read: DirectoryPerson[] = [];
      for (const entry of found.entries) {
        const person = readPerson(entry, this.settings);
        this.latestChange = max(this.latestChange, person.changedAt ?? '');
        read.push(person);
        if (turn.isDue) await turn.yield();
      }
      yield read.filter(({ emails }) => emails.length > 0);
    }
  }

  /** The directory's time, where it tells (Active Directory does); in the form of RFC 4517. */
  async readClock(): Promise<string | undefined> {
    const search = { base: '', scope: 'base', filter: '(objectClass=*)', attributes: ['currentTime'] } as const;
    try {
      const { entries } = await this.connection.search({ ...search, maxEntries: 1 });
      return entries.flatMap((entry) => textsOf(entry, 'currentTime'))[0];
    } catch (error) {
      if (error instanceof DirectoryFailure && error.kind === 'result') return undefined;
      throw error;
    }
  }

  /**
   * From when on changes are to be read the next time. Whatever the clocks say, nothing is later than the latest change
   * that was seen, and something could still be changed as early as when the reading began.
   * @param since that of this time
   * @param clock the directory's at the beginning
   * @param startedAt by this server's clock
   * @returns null where the directory does not tell when entries were changed
   */
  nextHighWater(since: string | undefined, clock: string | undefined, startedAt: Date): string | null {
    const known = max(since ?? '', this.latestChange).slice(0, 14);
    if (!/^\d{14}$/.test(known)) return null;
    const began = clock !== undefined && /^\d{14}/.test(clock) ? parseTime(clock) : startedAt.getTime();
    const limit = new Date(began - MARGIN_MS).toISOString().replaceAll(/[-:T]|\..*/g, '');
    return `${known < limit ? known : limit}${this.settings.id_attribute === 'objectGUID' ? '.0Z' : 'Z'}`;
  }
}

/** What an entry is called that does not say who it is. */
export function unknownIdOf({ dn }: DirectoryPerson): string {
  return `dn:${createHash('sha256').update(normalizeDn(dn)).digest('base64url')}`;
}

function max(one: string, other: string): string {
  return one > other ? one : other;
}

function parseTime(text: string): number {
  return Date.parse(text.slice(0, 14).replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z'));
}
