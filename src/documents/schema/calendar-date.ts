/** Whether a text is a day that there is, as YYYY-MM-DD (RFC 3339, full-date) in the years 0001 to 9999. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith('0000')) return false;
  const date = new Date(`${text}T00:00:00Z`);
  // Some days that a month does not have are taken for the first ones of the next month.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
