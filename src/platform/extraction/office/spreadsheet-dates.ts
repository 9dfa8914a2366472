import type { OfficePackage } from './office-package.js';

const DAY_MS = 86_400_000;

/** Midnight before day 0 of the two ways to count days: 1900's February has a 29th there. */
const EPOCHS = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) } as const;

/** The last day of the year 9999, as serial number. */
const LAST_DAY = 2_958_465;

/** Built-in number formats that show days or times. */
const BUILT_IN = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, ...range(27, 36), 45, 46, 47, ...range(50, 58)]);

/** The cell styles that show a number as day or time, by their places. */
export async function readDateStyles(office: OfficePackage, part: string): Promise<ReadonlySet<number>> {
  const formats = new Map<number, boolean>();
  const styles = new Set<number>();
  let isCells = false;
  let place = 0;
  await office.read(part, {
    open: (name, { numFmtId = '', formatCode = '' }) => {
      if (name === 'numFmt') formats.set(Number(numFmtId), showsDate(formatCode));
      else if (name === 'cellXfs') isCells = true;
      else if (name === 'xf' && isCells) {
        if (formats.get(Number(numFmtId)) ?? BUILT_IN.has(Number(numFmtId))) styles.add(place);
        place += 1;
      }
    },
    close: (name) => {
      if (name === 'cellXfs') isCells = false;
    },
  });
  return styles;
}

/** A serial number as ISO date, `2026-03-01` or `2026-03-01 14:30`; a time without a day as `14:30`. */
export function formatSerialDate(serial: number, startsIn1904: boolean): string {
  if (!(serial >= 0 && serial <= LAST_DAY)) return String(serial);
  const minutes = Math.round((serial * DAY_MS) / 60_000);
  const text = new Date(EPOCHS[startsIn1904 ? 1904 : 1900] + minutes * 60_000).toISOString();
  const [day, time] = [text.slice(0, 10), text.slice(11, 16)];
  if (serial < 1) return time;
  return time === '00:00' ? day : `${day} ${time}`;
}

/** Letters of days and times, but for those in quotes, in brackets (colours) and behind a backslash. */
function showsDate(code: string): boolean {
  const shown = code
    .slice(0, 255)
    .replace(/"[^"]*"|\[[^\]]*\]|\\./g, '')
    .replace(/general/gi, '');
  return /[dmyhs]/i.test(shown);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
