import { Conflict } from '../../errors.js';

/** The error for a field without which the answer would be another one. @param param its path */
export function lostField(param: string): Conflict {
  return new Conflict(
    'capability_not_supported',
    `The backend of this model has no responses; through its chat completions ${param} would be lost.`,
    param,
  );
}
