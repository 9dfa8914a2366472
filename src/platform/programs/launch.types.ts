/** What is started. */
export interface LaunchOrder {
  /** Its absolute path; default: Node. */
  readonly program?: string;
  readonly args: readonly string[];
  /** The folder that it runs in, by its absolute path; default: `/`. */
  readonly folder?: string | undefined;
}

/** Asks the launcher for a process. */
export interface Launch extends LaunchOrder {
  readonly id: number;
}

/** Tells that a process has been started; its socket comes with it. */
export interface ProcessStart {
  readonly id: number;
  readonly pid: number;
}

/** Tells how a process has ended; neither where it could not be started, or nobody knows. */
export interface ProcessEnd {
  readonly id: number;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}
