import { hash } from 'node:crypto';

/** Longer ones are nobody's. */
const MAX_CHARACTERS = 8 * 1024;
const ESCAPES = /((?:\\[0-9a-f]{2})+)|\\(.)/gisu;

/**
 * The form in which distinguished names (RFC 4514) are compared: without the case of letters, spaces between parts, and
 * ways of escaping. A text that is none is compared by its letters.
 */
export function normalizeDn(dn: string): string {
  if (dn.length > MAX_CHARACTERS) return dn;
  return splitOutside(dn, ',;')
    .map((rdn) => splitOutside(rdn, '+').map(normalizePair).sort().join('+'))
    .join(',');
}

/** What names are looked up by: the SHA-256 of the form in which they are compared, 32 characters of a byte each. */
export function dnKey(dn: string): string {
  return hash('sha256', normalizeDn(dn), 'binary');
}

function normalizePair(pair: string): string {
  const at = pair.indexOf('=');
  if (at < 0) return normalizeText(pair);
  const value = normalizeText(unescapeValue(pair.slice(at + 1)));
  return `${pair.slice(0, at).trim().toLowerCase()}=${JSON.stringify(value)}`;
}

function normalizeText(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').normalize('NFKC').toLowerCase();
}

/** Cuts at separators that are neither escaped nor within quotes. */
function splitOutside(text: string, separators: string): string[] {
  const parts: string[] = [];
  let begin = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && separators.includes(character)) {
      parts.push(text.slice(begin, at));
      begin = at + 1;
    }
  }
  return [...parts, text.slice(begin)];
}

/** Escapes are characters, or bytes of UTF-8. */
function unescapeValue(text: string): string {
  const trimmed = text.trim();
  const isQuoted = trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"');
  const value = isQuoted ? trimmed.slice(1, -1) : text;
  return value.replaceAll(ESCAPES, (_, bytes: string | undefined, character: string) =>
    bytes === undefined ? character : Buffer.from(bytes.replaceAll('\\', ''), 'hex').toString('utf8'),
  );
}
