import { Field, ObjectType, registerEnumType } from 'type-graphql';

/** The form of an export. */
export const AuditExportFormat = { ndjson: 'ndjson', csv: 'csv' } as const;
/** One of them. */
export type AuditExportFormat = keyof typeof AuditExportFormat;

registerEnumType(AuditExportFormat, {
  name: 'AuditExportFormat',
  description: 'The form of an export.',
  valuesConfig: {
    ndjson: { description: 'An entry a line, with what its hash is made of: it can be verified.' },
    csv: { description: 'For tables; cells that a program could take for a formula begin with an apostrophe.' },
  },
});

/** A piece of an export. */
@ObjectType({ simpleResolvers: true, description: 'A piece of an export.' })
export class AuditExportPart {
  @Field(() => String, { description: 'Whole lines.' })
  text!: string;
}
