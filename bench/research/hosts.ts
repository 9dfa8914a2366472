/** Pages of manuals that are served. */
export const PAGES = 200;
/** Pages that a search finds, each on a host of its own. */
export const FOUND = 10;
/** Pages that were made to exhaust whoever reads them; each kind comes as often as the others. */
export const HOSTILE = 500;

/** The address of a host on this machine, from 0; at most 60,000. */
export function hostAddress(host: number): string {
  return `127.0.${1 + Math.floor(host / 250)}.${1 + (host % 250)}`;
}
