/** How large a schema may be. Lengths are UTF-16 units. */
export const SCHEMA_LIMITS = {
  /** Of its JSON in UTF-8. */
  bytes: 64 * 1024,
  /** Names in a path: `supplier.address.city` has three. */
  depth: 5,
  /** Named fields, each as often as a `$ref` brings it in. */
  fields: 200,
  /** Schemas that are looked at for all fields together: `$ref` and `anyOf` lead from one to the next. */
  steps: 2_000,
  nameLength: 200,
  /** Of one field, its title included. */
  labels: 20,
  labelLength: 200,
  descriptionLength: 2_000,
  /** Values of one enum. */
  options: 1_000,
  /** Names, labels, descriptions and options of all fields: definitions that are used often count each time. */
  expandedLength: 256 * 1024,
} as const;
