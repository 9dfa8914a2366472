const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
};
const NAMES = new Map(Object.entries(ESCAPES).map(([name, character]) => [character, name]));

/** The value of the strings of a field, one behind another: `"one "` and `"two\n"` are `one two` and a line break. */
export function unquotePo(raw: string): string {
  return [...raw.matchAll(/"((?:[^"\\\r\n]|\\.)*)"/g)].map(([, inner = '']) => unescape(inner)).join('');
}

/** A value as the strings of a field: one for each of its lines, where it has several. */
export function quotePo(value: string, newline: string): string {
  const lines = value.split(/(?<=\n)/);
  const quoted = lines.map((line) => `"${escape(line)}"`);
  return lines.length > 1 ? ['""', ...quoted].join(newline) : (quoted[0] ?? '""');
}

function unescape(inner: string): string {
  return inner.replaceAll(/\\(x[\da-f]{1,2}|[0-7]{1,3}|.)/gi, (_, code: string) => {
    if (/^x/i.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
    return ESCAPES[code] ?? code;
  });
}

function escape(line: string): string {
  return line.replaceAll(/["\\]|\p{Cc}/gu, (character) => {
    const name = /["\\]/.test(character) ? character : NAMES.get(character);
    return name === undefined ? character : `\\${name}`;
  });
}
