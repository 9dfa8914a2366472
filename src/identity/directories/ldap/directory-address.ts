import { lookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import { guardedLookup } from '../../../platform/net/guarded-lookup.js';
import type { AddressRule } from '../../../platform/net/address-rule.js';
import type { EgressRule } from '../../../platform/net/egress-rule.js';
import { systemCode } from '../../../platform/operational-error.js';
import { ldapPortOf } from '../../providers/provider-settings.js';
import type { LdapSettings } from '../../providers/provider-settings.js';
import type { OpenedProvider } from '../../providers/provider-store.js';
import { DirectoryFailure } from './directory-failure.js';

/** Ports at which nothing but directories is known to listen. */
const LDAP_PORTS: ReadonlySet<number> = new Set([389, 636, 3268, 3269]);
const FIRST_FREE_PORT = 1_024;

/** Where a directory is: what its name meant when it was asked for, so that all connections of one purpose go there. */
export interface DirectoryAddress {
  /** As certificates have it. */
  readonly hostname: string;
  readonly port: number;
  /** One at least. */
  readonly addresses: readonly LookupAddress[];
  /** Whether a connection that was made may be used. */
  readonly allows: AddressRule;
}

/**
 * Looks up where a directory is. One that a sysadmin has approved may be anywhere; any other at public addresses alone,
 * and at no port where usually another service listens.
 * @param rule for connections to addresses that tenants have given
 * @throws DirectoryFailure `unreachable`
 */
export async function locateDirectory(
  { approved, settings }: OpenedProvider<LdapSettings>,
  rule: EgressRule,
): Promise<DirectoryAddress> {
  const hostname = new URL(settings.url).hostname.replace(/^\[|\]$/g, '');
  const port = ldapPortOf(settings.url);
  const allows: AddressRule = approved ? () => true : rule.allowsAddress;
  if (!approved && !isUsualPort(port, rule)) throw unreachable('EACCES');
  const family = isIP(hostname) as 0 | 4 | 6;
  const addresses = family === 0 ? await lookUp(hostname, approved, allows) : [{ address: hostname, family }];
  const allowed = addresses.filter(({ address }) => allows(address));
  if (allowed.length === 0) throw unreachable('EACCES');
  return { hostname, port, addresses: allowed, allows };
}

/** The failure of a directory that no connection could be made to. */
export function unreachable(code: string): DirectoryFailure {
  return new DirectoryFailure('unreachable', 'The directory cannot be reached.', code);
}

async function lookUp(hostname: string, approved: boolean, allows: AddressRule): Promise<LookupAddress[]> {
  try {
    // A sysadmin may know names that only this machine knows; what tenants ask for must not hold its threads up.
    if (approved) return await lookup(hostname, { all: true });
    return (await promisify(guardedLookup(allows))(hostname, { all: true })) as unknown as LookupAddress[];
  } catch (error) {
    throw unreachable(systemCode(error));
  }
}

function isUsualPort(port: number, rule: EgressRule): boolean {
  return LDAP_PORTS.has(port) || (port >= FIRST_FREE_PORT && rule.allowsPort(port));
}
