/** Who asks: the columns of the matrix, in their order. */
export const CALLERS = [
  'none',
  'expired',
  'revoked',
  'no scope',
  'pat',
  'user',
  'stranger',
  'admin',
  'sysadmin',
  'service',
] as const;
/** One of them. */
export type Caller = (typeof CALLERS)[number];

/** Whose the thing is that an id names: the user's, that of another user of the tenant, that of another tenant. */
export type Whose = 'own' | 'mate' | 'other';

/** What an id names: something of somebody, or nothing at all, whether it has the form of an id or not. */
export type Target = Whose | 'unknown' | 'malformed';

/** The targets whose answers stand in a cell, in their order. */
export const SHOWN_TARGETS = ['own', 'mate', 'other', 'unknown'] as const satisfies readonly Target[];

/** What an operation has answered. */
export interface Answer {
  /** The status of REST; of GraphQL that of the first error, or `ok`, or `nul` for an entity that is null. */
  readonly outcome: string;
  /** As it came. */
  readonly body: unknown;
}

/** Whether an operation was done. */
export function isSuccess({ outcome }: Pick<Answer, 'outcome'>): boolean {
  return outcome === 'ok' || /^[123]/.test(outcome);
}
