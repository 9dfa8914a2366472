/** Asks the launcher for a child. */
export interface Launch {
  readonly id: number;
  /** Of Node. */
  readonly args: readonly string[];
}

/** Tells that a child has been started; its socket comes with it. */
export interface ChildStart {
  readonly id: number;
  readonly pid: number;
}

/** Tells how a child has ended; neither where it could not be started, or nobody knows. */
export interface ChildEnd {
  readonly id: number;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}
