/** What a figure should reach: by its comparison where it has one, else by itself. Empty: no target is set. */
export interface Reach {
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly below?: number;
  /** It counts what should not happen at all, so that the worst round is told. */
  readonly none?: true;
}

/** One measured value. */
export interface Figure {
  /** Of its row in the table, with the unit. */
  readonly row: string;
  readonly value: number;
  /** How it is set against the yardstick's: as a share of it, or as what is added to it. */
  readonly against?: 'share' | 'added';
  readonly reach?: Reach;
}

/** How much is measured. */
export interface Size {
  readonly rounds: number;
  /** Before each case: it takes thousands of calls until all that they run is compiled for the last time. */
  readonly warmUpSeconds: number;
  /** Seconds of each closed loop. */
  readonly loopSeconds: number;
  readonly pacedSeconds: number;
  readonly aborted: number;
}

/** A part of the benchmark with a table of its own. */
export interface Section {
  /** What `--only` calls it. */
  readonly name: string;
  readonly title: string;
  /** What is measured, for those who read the results. */
  readonly about: string;
  readonly columns: readonly string[];
  /** The column that the others are set against; it has nothing to reach itself. Undefined: each stands for itself. */
  readonly yardstick?: string;
  /** Of a full run; default: as many as its size says. */
  readonly rounds?: number;
  /** Measures one column in one round. */
  measure(column: string, size: Size, isLastRound: boolean): Promise<readonly Figure[]>;
}
