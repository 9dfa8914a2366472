interface Waiter {
  readonly go: () => void;
  readonly refuse: (error: Error) => void;
}

interface Line {
  /** Whether one is being done. */
  isBusy: boolean;
  /** The newest last. */
  waiting: Waiter[];
}

/**
 * Does one piece of work at a time for each subject, the newest first. Where it has succeeded, those that came before it are
 * refused without being begun: so many of them hold nothing that others need.
 */
export class NewestFirst {
  private readonly lines = new Map<string, Line>();

  /**
   * @param subject such as an id
   * @param refusal what older ones fail with, by the result of the newer one
   * @throws what the work throws; what the newer one's `refusal` has made
   */
  async run<Result>(subject: string, work: () => Promise<Result>, refusal: (result: Result) => Error): Promise<Result> {
    const line = this.lines.get(subject) ?? { isBusy: false, waiting: [] };
    this.lines.set(subject, line);
    if (line.isBusy) await new Promise<void>((go, refuse) => line.waiting.push({ go, refuse }));
    line.isBusy = true;
    const older = line.waiting;
    line.waiting = [];
    try {
      const result = await work();
      for (const { refuse } of older.splice(0)) refuse(refusal(result));
      return result;
    } finally {
      line.waiting.unshift(...older);
      const next = line.waiting.pop();
      if (next) next.go();
      else {
        line.isBusy = false;
        this.lines.delete(subject);
      }
    }
  }
}
