import type { TestBed } from '../crash/test-bed.js';

/** What every proof is told. */
export interface ProofOptions {
  /** How long it may take; one that has an end of its own ignores it. */
  readonly minutes: number;
  /** Repeats what is chosen, not when it happens. */
  readonly seed: number;
}

/** What was seen. */
export interface Proven {
  /** As Markdown, with its figures. */
  readonly report: string;
  /** What does not hold, a sentence each. */
  readonly problems: readonly string[];
}

/** Something that the server promises, tried on real processes. */
export interface Proof {
  readonly name: string;
  /** What is tried, in a line. */
  readonly about: string;
  run(bed: TestBed, options: ProofOptions): Promise<Proven>;
}
