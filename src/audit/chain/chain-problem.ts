/** What is wrong with a chain: the kinds of `AuditProblem` in docs/audit.md. */
export type ProblemKind = 'edited' | 'deleted' | 'inserted' | 'reordered' | 'cut' | 'unsigned';

/** What is wrong, and where. */
export interface ChainProblem {
  readonly chain: string;
  /** Of the entry; null where it is not there any more. */
  readonly id: string | null;
  readonly sequence: number;
  readonly problem: ProblemKind;
}
