import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';

/** It is always time to let others go first. */
export class CountedTurns extends CooperativeYield {
  /** How often others could go first. */
  count = 0;

  override get isDue(): boolean {
    return true;
  }

  override yield(): Promise<void> {
    this.count += 1;
    return Promise.resolve();
  }
}
