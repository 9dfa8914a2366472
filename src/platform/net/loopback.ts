import ipaddr from 'ipaddr.js';

/** Whether a host, as a name or an address, is this machine itself. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}
