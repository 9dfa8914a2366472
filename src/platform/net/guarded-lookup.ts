import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { refusedAddress } from './address-rule.js';
import type { AddressRule } from './address-rule.js';

/** Of one question; the last of them waits twice as long. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** Names that mean this machine, whatever a name server says of them (RFC 6761). */
const LOCALHOST = /^(.+\.)?localhost\.?$/i;
/** Answers of name servers that say that there is no such address. */
const NO_ADDRESS = new Set(['ENODATA', 'ENOTFOUND']);

/**
 * A lookup of names that users have given, which answers allowed addresses only. What it answers is what is connected to,
 * so a name that changes its address between two questions gains nothing.
 *
 * It asks the name servers itself: the system's lookup runs in the few threads of the process, in which a name whose
 * server is silent would hold up the names of everybody. So a name must be known to DNS, in full.
 * @param servers the name servers, such as `127.0.0.1:53`; default: the system's
 */
export function guardedLookup(isAllowed: AddressRule, servers?: readonly string[]): LookupFunction {
  const resolving = new Map<string, Promise<LookupAddress[]>>();
  const resolveOnce = (hostname: string): Promise<LookupAddress[]> => {
    const known = resolving.get(hostname);
    if (known) return known;
    const resolved = resolve(hostname, servers).finally(() => resolving.delete(hostname));
    resolving.set(hostname, resolved);
    return resolved;
  };
  return (hostname, { all, family }, callback) => {
    resolveOnce(hostname).then(
      (found) => {
        const allowed = found.filter((entry) => isAllowed(entry.address) && (!family || entry.family === family));
        const [first] = allowed;
        if (!first) callback(refusedAddress(), []);
        else if (all) callback(null, allowed);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

async function resolve(hostname: string, servers: readonly string[] | undefined): Promise<LookupAddress[]> {
  if (LOCALHOST.test(hostname)) return [toAddress(4)('127.0.0.1'), toAddress(6)('::1')];
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map(toAddress(4)) : []),
    ...(six.status === 'fulfilled' ? six.value.map(toAddress(6)) : []),
  ];
  if (found.length > 0) return found;
  const reasons = [four, six].map((answer) => (answer as PromiseRejectedResult).reason as NodeJS.ErrnoException);
  // As the system's lookup says it.
  const code = reasons.every((reason) => NO_ADDRESS.has(reason.code ?? '')) ? 'ENOTFOUND' : 'EAI_AGAIN';
  throw Object.assign(new Error('The name cannot be resolved.', { cause: reasons[0] }), { code });
}

function toAddress(family: 4 | 6): (address: string) => LookupAddress {
  return (address) => ({ address, family });
}
