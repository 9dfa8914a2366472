import { networkInterfaces } from 'node:os';
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
 * metadata service, of this machine, or such an IPv4 address in whatever IPv6 form; and what the operator allows beside
 * them.
 * @param allow addresses or CIDRs
 * @param ownAddresses of this machine, as they are when asked for
 */
export function publicAddresses(allow: readonly string[], ownAddresses = interfaceAddresses): AddressRule {
  const allowed = allow.map(toCidr);
  return (text) => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    if (allowed.some((cidr) => isIn(address, cidr))) return true;
    if (address.range() !== 'unicast' || isIn(address, METADATA)) return false;
    if (address.kind() === 'ipv6' && !isIn(address, PUBLIC_IPV6)) return false;
    // What listens here for others is behind the firewall of this machine, and may be this server.
    return !ownAddresses().some((own) => isIn(address, toCidr(own)));
  };
}

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((entries) => entries?.map(({ address }) => address) ?? []);
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
