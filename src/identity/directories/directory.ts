import type { EgressRule } from '../../platform/net/egress-rule.js';
import type { LdapSettings } from '../providers/provider-settings.js';
import type { OpenedProvider } from '../providers/provider-store.js';
import { locateDirectory } from './ldap/directory-address.js';
import type { DirectoryAddress } from './ldap/directory-address.js';
import { DirectoryFailure, LDAP_RESULT } from './ldap/directory-failure.js';
import { LdapConnection } from './ldap/ldap-connection.js';
import type { ConnectionOptions } from './ldap/ldap-connection.js';

const MAX_CONNECT_MS = 10_000;

/** A directory for one purpose, such as a sign-in: where it is has been looked up once. */
export class Directory {
  private readonly connections: LdapConnection[] = [];

  private constructor(
    readonly provider: OpenedProvider<LdapSettings>,
    private readonly address: DirectoryAddress,
    private readonly options: ConnectionOptions,
  ) {}

  /**
   * Looks a directory up, lets somebody use it, and closes every connection that was made.
   * @param rule for connections to addresses that tenants have given
   * @param signal bounds all of it
   * @throws DirectoryFailure, and what the work throws
   */
  static async use<T>(
    provider: OpenedProvider<LdapSettings>,
    rule: EgressRule,
    signal: AbortSignal,
    work: (directory: Directory) => Promise<T>,
  ): Promise<T> {
    const { url, start_tls: startTls, ca, timeout_seconds: seconds } = provider.settings;
    const security = url.startsWith('ldaps:') ? 'tls' : startTls ? 'startTls' : 'plain';
    const timeoutMs = seconds * 1_000;
    const lookupMs = Math.min(timeoutMs, MAX_CONNECT_MS);
    const address = await inTime(locateDirectory(provider, rule), lookupMs);
    const directory = new Directory(provider, address, { security, ca, timeoutMs, signal });
    try {
      return await work(directory);
    } finally {
      for (const connection of directory.connections) connection.close();
    }
  }

  /** Connects as nobody. @throws DirectoryFailure */
  async connect(): Promise<LdapConnection> {
    const connection = await LdapConnection.open(this.address, this.options);
    this.connections.push(connection);
    return connection;
  }

  /** Connects as the account that searches, where there is one. @throws DirectoryFailure also where it is refused */
  async connectToSearch(): Promise<LdapConnection> {
    const connection = await this.connect();
    const { bind_dn: dn, bind_password: password } = this.provider.settings;
    if (dn === undefined || password === undefined) return connection;
    const code = await connection.bind(dn, password);
    if (code === LDAP_RESULT.success) return connection;
    throw new DirectoryFailure('result', `The directory refuses bind_dn with its password (code ${code}).`, code);
  }
}

async function inTime<T>(promise: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const failure = new DirectoryFailure('timeout', 'The name of the directory cannot be looked up in time.');
  const timer = setTimeout(() => late.reject(failure), ms);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
