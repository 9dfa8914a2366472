/**
 * What an operator must mend before the server can run, such as a folder that cannot be written. The message is all
 * that there is to tell: what is wrong, where, and what to do about it.
 */
export class OperationalError extends Error {
  override readonly name = 'OperationalError';
}

/** The code of a system error, such as `ENOSPC`; an empty text for any other. */
export function systemCode(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
