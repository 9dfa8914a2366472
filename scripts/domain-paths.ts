/** A path, such as `/v1/models/{id}`, and the domain that serves it. */
export interface DomainPath {
  readonly domain: string;
  readonly path: string;
}

/**
 * The fewest rules that send each path to its domain. A rule holds for its path and for all paths below it, unless a
 * later, more specific rule of the list holds too.
 * @throws Error for a path that two domains serve, by different methods: a proxy could not tell which one it is for
 */
export function routeByDomain(paths: readonly DomainPath[]): DomainPath[] {
  const domains = new Map<string, string>();
  for (const { domain, path } of paths) {
    const key = path.replaceAll(/\{\w+\}/g, '{id}');
    if ((domains.get(key) ?? domain) !== domain) throw new Error(`${path} is served by two domains.`);
    domains.set(key, domain);
  }
  const rules = new Map<string, string>();
  for (const [path, domain] of [...domains].sort(byText)) {
    if (ruleFor(path, rules) !== domain) rules.set(shortestOf(path, domain, domains), domain);
  }
  return [...rules].map(([path, domain]) => ({ domain, path }));
}

/** The table of `docs/operations.md`. @param names of all domains */
export function toTable(names: readonly string[], rules: readonly DomainPath[]): string {
  const rows = names.map((name) => {
    const paths = rules.filter(({ domain }) => domain === name).map(({ path }) => `\`${path}\``);
    return `| \`${name}\` | ${paths.join(' ')} |`;
  });
  return ['| Domain | Its paths, and all below them |', '|---|---|', ...rows].join('\n');
}

/** The entries of a `map` of nginx from `$request_uri` to the domain; the first that matches counts. */
export function toNginxMap(rules: readonly DomainPath[]): string {
  const entries = rules.toReversed().map(({ domain, path }) => {
    return `~^${path.replaceAll('{id}', '[^/?]+')}(?=[/?]|$) ${domain};`;
  });
  return ['# The domain that serves a path. Written by `npm run schema`.', ...entries, ''].join('\n');
}

/** The longest path of the domain's own at or above a path, below which it serves all. */
function shortestOf(path: string, domain: string, domains: ReadonlyMap<string, string>): string {
  const segments = path.split('/');
  for (let length = 3; length < segments.length; length++) {
    const above = segments.slice(0, length).join('/');
    const others = [...domains].some(([other, owner]) => owner !== domain && isAtOrBelow(other, above));
    if (!others) return above;
  }
  return path;
}

/** What the rules so far say of a path: the last that matches counts, since they are in order. */
function ruleFor(path: string, rules: ReadonlyMap<string, string>): string | undefined {
  return [...rules].findLast(([rule]) => isAtOrBelow(path, rule))?.[1];
}

function isAtOrBelow(path: string, rule: string): boolean {
  return path === rule || path.startsWith(`${rule}/`);
}

/** In the order of the alphabet, so that a path stands before those below it; a variable stands before names. */
function byText([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a.replaceAll('{', ' ') < b.replaceAll('{', ' ') ? -1 : 1;
}
