import { domainToASCII } from 'node:url';

/** Of a host name (RFC 1035). */
const MAX_PATTERN = 253;
const MAX_STARS = 4;
const LABEL_WITH_STAR = /^[a-z0-9_*-]+$/;
/** Whatever its script: `domainToASCII` would leave out what follows a slash or a colon. */
const WORD = /^[\p{L}\p{M}\p{N}_-]+$/u;
const LABEL = /^[a-z0-9_-]{1,63}$/;

/**
 * A glob of host names as it is stored: in lower case and as IDNA has it, without a dot at its end. `*` stands for any
 * characters, dots included; of other characters it has those of names and IPv4 addresses.
 * @returns undefined where it is none: no host name, a star beside letters that IDNA writes otherwise, more than four stars
 */
export function toDomainPattern(text: string): string | undefined {
  if (text.length > MAX_PATTERN) return undefined;
  const labels = text.trim().toLowerCase().replace(/\.$/, '').split('.').map(toLabel);
  const pattern = labels.join('.');
  const isWhole = labels.every((label) => label !== undefined) && pattern.length <= MAX_PATTERN;
  return isWhole && pattern.split('*').length - 1 <= MAX_STARS ? pattern : undefined;
}

function toLabel(label: string): string | undefined {
  if (label.includes('*')) return LABEL_WITH_STAR.test(label) ? label : undefined;
  if (!WORD.test(label)) return undefined;
  const ascii = LABEL.test(label) ? label : domainToASCII(label);
  return LABEL.test(ascii) ? ascii : undefined;
}

/** Whether a pattern of `toDomainPattern` fits all of a host. Each part is looked for once: it takes no longer than both are. */
export function fitsPattern(pattern: string, host: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === host;
  if (host.length < first.length + last.length || !host.startsWith(first) || !host.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const place = host.indexOf(part, at);
    if (place < 0) return false;
    at = place + part.length;
  }
  return at <= host.length - last.length;
}

/**
 * The order of patterns by how specific they are, for a sort: first those without a star, then those with more other
 * characters, then those with fewer stars.
 */
export function bySpecificity(one: string, other: string): number {
  const [a, b] = [starsOf(one), starsOf(other)];
  if ((a === 0) !== (b === 0)) return a === 0 ? -1 : 1;
  return other.length - b - (one.length - a) || a - b;
}

function starsOf(pattern: string): number {
  return pattern.split('*').length - 1;
}
