import { z } from 'zod';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})+$`);
const MAX_DOMAINS = 100;

/** The domain of an address that `normalizeEmail` has given; empty where it has none. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1 || email.length);
}

/** The domains of addresses, in lower case and each once; names in other scripts as `xn--…`. */
export const emailDomains = z
  .array(
    z.string().trim().toLowerCase().max(253).regex(DOMAIN, 'must be a domain such as example.com, in ASCII (xn--…)'),
  )
  .max(MAX_DOMAINS)
  .transform((domains) => [...new Set(domains)]);
