import { registerEnumType } from 'type-graphql';

/** How results are written. */
export const ResultFormat = { json: 'json', csv: 'csv', xlsx: 'xlsx' } as const;
/** One of them. */
export type ResultFormat = keyof typeof ResultFormat;

registerEnumType(ResultFormat, {
  name: 'DocumentResultFormat',
  description: 'How results are written.',
  valuesConfig: {
    json: { description: 'Each document with its values, as objects and by their places.' },
    csv: { description: 'A row for each document; arrays are JSON.' },
    xlsx: {
      description: 'A workbook with a sheet of documents, one for each array, and one of what proves the values.',
    },
  },
});
