import type { ValueTransformer } from 'typeorm';

/** Of a `bigint` column whose numbers JSON carries exactly: the driver answers them as texts. */
export const wholeNumber: ValueTransformer = {
  to: (value: number | undefined) => value,
  from: (text: string | null) => (text === null ? null : Number(text)),
};
