/** What a comparison says beside what may be. */
export interface Verdict {
  /** Breaking changes that nobody has accepted. */
  readonly unaccepted: readonly string[];
  /** Accepted changes that have not happened, or have been released. */
  readonly unneeded: readonly string[];
}

/**
 * @param accepted changes that were made on purpose, each with its reason
 * @throws Error where a reason is missing
 */
export function judge(changes: readonly string[], accepted: Readonly<Record<string, unknown>>): Verdict {
  for (const [change, reason] of Object.entries(accepted)) {
    if (typeof reason !== 'string' || reason.trim() === '') throw new Error(`There is no reason for: ${change}`);
  }
  return {
    unaccepted: changes.filter((change) => !Object.hasOwn(accepted, change)),
    unneeded: Object.keys(accepted).filter((change) => !changes.includes(change)),
  };
}
