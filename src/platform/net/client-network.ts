import ipaddr from 'ipaddr.js';

/** What an address counts as: whoever has one IPv6 address has the 2^64 around it, so they are one; IPv4 addresses count alone, in whatever form. */
export function networkOf(text: string): string {
  const address = parse(text);
  if (address instanceof ipaddr.IPv6) return address.parts.slice(0, 4).join(':');
  return address?.toString() ?? text;
}

/** The 2^80 addresses that whoever rents one of them may have, as an IPv6 network; undefined for IPv4. */
export function siteOf(text: string): string | undefined {
  const address = parse(text);
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 3).join(':') : undefined;
}

/** Where a client comes from, as a text for people: an IPv4 address as it is, of IPv6 the network of `siteOf`. */
export function toSite(text: string): string {
  const address = parse(text);
  if (!(address instanceof ipaddr.IPv6)) return address?.toString() ?? text;
  return `${new ipaddr.IPv6([...address.parts.slice(0, 3), 0, 0, 0, 0, 0])}/48`;
}

/** Undefined for what is no address. */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}
