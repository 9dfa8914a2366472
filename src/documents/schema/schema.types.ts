/** What a field holds; a `date` is a text of the form YYYY-MM-DD. */
export type FieldKind = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'date';

/** A field that is to be filled. */
export interface SchemaField {
  /** Its name in its object; '' for the root and for what an array holds. */
  readonly name: string;
  readonly kind: FieldKind;
  /** Whether its object must have it; what an array holds is required in its place. */
  readonly isRequired: boolean;
  /** Whether null is a value of it. */
  readonly isNullable: boolean;
  /** What people call it: title, then x-labels; the name is not among them. */
  readonly labels: readonly string[];
  /** What it holds, in a sentence or two. */
  readonly description?: string;
  /** The only values that it may have (enum, const); never null, see `isNullable`. */
  readonly options?: readonly (string | number | boolean)[];
  /** Of an object: its members in the order of the schema; at least one. */
  readonly fields?: readonly SchemaField[];
  /** Of an array: what it holds, which is no array. */
  readonly items?: SchemaField;
}

/** A schema that was read, and does not change any more. */
export interface ExtractionSchema {
  /** An object that is never null. */
  readonly root: SchemaField;
  /** How many named fields there are at any depth, objects and arrays included. */
  readonly fieldCount: number;
}
