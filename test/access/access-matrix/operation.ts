import type { AccessExtension } from '../../../src/access/access-rule.js';
import type { Sender } from './ask.js';
import type { Answer } from './callers.js';
import type { Values } from './inputs.js';
import type { World } from './world.js';

/** A variable of an operation that is an id of ours. */
export interface IdVariable {
  readonly name: string;
  /** One of `KINDS`. */
  readonly kind: string;
  readonly isRequired: boolean;
  /** Whether it is sent as the one entry of a list. */
  readonly isList?: boolean;
}

/** A line of the matrix: an operation, and the id of it that is tried. */
export interface Operation {
  readonly name: string;
  /** The same for the REST endpoint and the GraphQL field that do one thing. */
  readonly pair?: string;
  readonly access: AccessExtension;
  /**
   * What it does may spoil what is asked next (`change`) or not (`read`); a `route` makes its page when it is first asked
   * for, which keeps the server from all else.
   */
  readonly effect: 'change' | 'read' | 'route';
  /** The id that is tried; undefined: none is sent. */
  readonly id?: IdVariable;
  /** Ids that have to be sent beside it: those of what belongs to the user under test. */
  readonly otherIds: readonly IdVariable[];
  /** Everything else that is sent. */
  readonly valuesFor: (world: World) => Promise<Values>;
  readonly headersFor: (values: Values) => Readonly<Record<string, string>>;
  readonly send: (sender: Sender, values: Values) => Promise<Answer>;
}

/** The lines of an operation: one for each of its ids, and one without any where it needs none. */
export function linesOf<Line>(
  ids: readonly IdVariable[],
  toLine: (suffix: string, parts: Pick<Operation, 'id' | 'otherIds'>) => Line,
): Line[] {
  const required = ids.filter(({ isRequired }) => isRequired);
  const lines = ids.map((id) => {
    const isObvious = id.isRequired && required.length === 1;
    return toLine(isObvious ? '' : ` ${id.name}=`, { id, otherIds: required.filter((other) => other !== id) });
  });
  return required.length > 0 ? lines : [toLine('', { otherIds: [] }), ...lines];
}
