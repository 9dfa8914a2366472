/** Languages that write no spaces between words. */
export const UNSPACED: ReadonlySet<string> = new Set(['zh', 'ja', 'yue', 'th', 'lo', 'km', 'my']);
