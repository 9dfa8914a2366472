/**
 * Whether a JSON value is nested so that something lies deeper than so many levels below it. It walks level by level, so
 * that depth costs no stack, and keeps nothing of long lists of numbers.
 */
export function isDeeperThan(limit: number, value: unknown): boolean {
  let level: object[] = isNested(value) ? [value] : [];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    const next: object[] = [];
    for (const entry of level) collectNested(entry, next);
    level = next;
  }
  return false;
}

function collectNested(entry: object, next: object[]): void {
  if (Array.isArray(entry)) {
    for (const child of entry as unknown[]) if (isNested(child)) next.push(child);
    return;
  }
  for (const name in entry) {
    const child = (entry as Record<string, unknown>)[name];
    if (isNested(child)) next.push(child);
  }
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
