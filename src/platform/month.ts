/** The calendar month in UTC that holds `now`; the end is exclusive. */
export function monthOf(now: Date): { periodStart: Date; periodEnd: Date } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { periodStart: new Date(Date.UTC(year, month)), periodEnd: new Date(Date.UTC(year, month + 1)) };
}

/** Its first day, as in `2026-11-01`. */
export function periodOf(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01`;
}

/** Whole seconds until it ends, at least 1. */
export function secondsToNextMonth(now: Date): number {
  return Math.max(1, Math.ceil((monthOf(now).periodEnd.getTime() - now.getTime()) / 1_000));
}
