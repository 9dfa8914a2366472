/** So many repairs in a row that have helped nothing: an engine that cannot do better is not asked again. */
const MOST_USELESS = 30;

/** Counts the repairs in a row that have helped nothing, of one request or one run of a document. */
export class RepairCount {
  private useless = 0;

  /** Whether it is no use to try more of them. */
  get isOver(): boolean {
    return this.useless >= MOST_USELESS;
  }

  /** To be called after each. */
  add(hasHelped: boolean): void {
    this.useless = hasHelped ? 0 : this.useless + 1;
  }
}
