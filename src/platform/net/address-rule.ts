import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whether connections may go to an address. */
export type AddressRule = (address: string) => boolean;

type Cidr = ReturnType<typeof ipaddr.parseCIDR>;

/** What is in use in public IPv6. */
const PUBLIC_IPV6 = ipaddr.parseCIDR('2000::/3');
/** A cloud's metadata service that has a public address. */
const METADATA = ipaddr.parseCIDR('168.63.129.16/32');

/**
 * The rule for addresses that a user has given: public ones only, so nothing private, loopback, link-local, of a
 * metadata service, or such an IPv4 address in whatever IPv6 form; and what the operator allows beside them.
 * @param allow addresses or CIDRs
 */
export function publicAddresses(allow: readonly string[]): AddressRule {
  const allowed = allow.map(toCidr);
  return (text) => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    if (allowed.some((cidr) => isIn(address, cidr))) return true;
    if (address.range() !== 'unicast' || isIn(address, METADATA)) return false;
    return address.kind() === 'ipv4' || isIn(address, PUBLIC_IPV6);
  };
}

/** Whether an address is this machine's own, in whatever form it is written; a name is no address. */
export function isLoopbackAddress(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).range() === 'loopback';
}

/**
 * A lookup of names that answers allowed addresses only. What it answers is what is connected to, so a name that changes
 * its address between two questions gains nothing.
 */
export function guardedLookup(isAllowed: AddressRule): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const allowed = found.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (!first) return callback(refusedAddress(), []);
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

/** The error of a connection that a rule does not allow. */
export function refusedAddress(): NodeJS.ErrnoException {
  return Object.assign(new Error('The address is not allowed.'), { code: 'EACCES' });
}

function toCidr(text: string): Cidr {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128] as Cidr;
}

function isIn(address: ReturnType<typeof ipaddr.parse>, [range, bits]: Cidr): boolean {
  return address.kind() === range.kind() && address.match(range, bits);
}
