/**
 * Where values lie that a secret box has sealed. Whoever stores such values names their place in its module (`sealed`),
 * so that they can be sealed anew when the secret key changes. Its texts become SQL: they are written in the code.
 */
export interface SealedColumn {
  /** The table, with its schema where that is not the usual one. */
  readonly table: string;
  /** The column of the primary key that tells rows apart, a text or a UUID. */
  readonly key: string;
  /** The column of the values: bytes, or JSON where there is a `path`. Null is no value. */
  readonly column: string;
  /** What the values are sealed for. */
  readonly purpose: string;
  /** What each is bound to: the key of its row, or nothing. */
  readonly context: 'key' | 'none';
  /** Where in the JSON the value is, as base64. */
  readonly path?: readonly string[];
  /** The condition of the rows that have such values; all rows where it is left out. */
  readonly where?: string;
}
