import type { SecretBox } from '../crypto/secret-box.js';

/**
 * What the MAC of counted refusals is made of: all that an entry says of them but for their number, which one statement
 * raises, whatever process they come to.
 */
export interface RefusalContent {
  readonly tenant_id: string | null;
  readonly action: string;
  readonly actor_type: string;
  readonly actor_id: string | null;
  readonly target_type: string | null;
  readonly target_id: string | null;
  readonly outcome: string;
  readonly reason: string;
  readonly network: string | null;
}

/** Counted refusals as they stand in the database. */
export interface WrittenRefusal extends RefusalContent {
  /** Null: nobody has made one. */
  readonly mac: Buffer | null;
}

/** The columns of a `RefusalContent`, in the order that they have in its MAC: rows exist, so it never changes. */
export const REFUSAL_COLUMNS = [
  'tenant_id',
  'action',
  'actor_type',
  'actor_id',
  'target_type',
  'target_id',
  'outcome',
  'reason',
  'network',
] as const satisfies readonly (keyof RefusalContent)[];

/** The MAC shows that this installation has begun to count refusals of a kind. */
export function macOfRefusal(secretBox: Pick<SecretBox, 'mac'>, refusal: RefusalContent): Buffer {
  return secretBox.mac('audit-refusal', JSON.stringify(REFUSAL_COLUMNS.map((column) => refusal[column])));
}

/** The function tells whether refusals are as this installation has counted them; nothing that succeeded is one. */
export function isOwnRefusal(secretBox: Pick<SecretBox, 'mac'>, refusal: WrittenRefusal): boolean {
  return refusal.outcome !== 'success' && refusal.mac?.equals(macOfRefusal(secretBox, refusal)) === true;
}
