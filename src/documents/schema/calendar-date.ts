import { regexes } from 'zod';

/** Whether a text is a day that there is, as YYYY-MM-DD (RFC 3339, full-date) in the years 0001 to 9999. */
export function isCalendarDate(text: string): boolean {
  return regexes.date.test(text) && !text.startsWith('0000');
}
