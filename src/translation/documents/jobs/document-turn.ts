/** How long an engine may say nothing where others wait, in seconds: twice as long each time, up to the most. */
const SECONDS = { first: 60, most: 300 };
/** How often is looked whether others wait, in milliseconds; not all documents look at the same time. */
const LOOK = { least: 3_000, spread: 3_000 };

/** The place of a document was given back to others. */
export class TurnOver extends Error {
  constructor() {
    super('The model has not answered for a while, and others had their turn.');
  }
}

interface DocumentTurnParts {
  /** How long an engine may say nothing. */
  readonly seconds: number;
  /** Whether somebody waits for the place who has none. */
  readonly othersWait: () => Promise<boolean>;
  /** Default: every few seconds. */
  readonly lookMs?: number;
}

/** The time for which a document may keep its place: for as long as its engine answers, or nobody else needs it. */
export class DocumentTurn {
  private readonly ending = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private answeredAt = performance.now();
  private isClosed = false;

  constructor(private readonly parts: DocumentTurnParts) {}

  /** Aborted with a TurnOver when the place is to be given back. */
  get over(): AbortSignal {
    return this.ending.signal;
  }

  /** From now on the engine is to answer. */
  begin(): void {
    this.answered();
    this.wait();
  }

  /** To be called whenever the engine has answered. */
  readonly answered = (): void => {
    this.answeredAt = performance.now();
  };

  /** Looks no more. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private wait(): void {
    if (this.isClosed || this.over.aborted) return;
    const { lookMs = LOOK.least + Math.random() * LOOK.spread } = this.parts;
    this.timer = setTimeout(() => void this.look(), lookMs).unref();
  }

  private async look(): Promise<void> {
    const { seconds, othersWait } = this.parts;
    const isSilent = (): boolean => performance.now() - this.answeredAt > seconds * 1_000;
    const isOver = isSilent() && (await othersWait().catch(() => false));
    // It may have answered meanwhile.
    if (isOver && isSilent() && !this.isClosed) this.ending.abort(new TurnOver());
    this.wait();
  }
}

/** How long an engine may say nothing. @param turns how often the document has given its place back */
export function turnSeconds(turns: number): number {
  return Math.min(SECONDS.first * 2 ** turns, SECONDS.most);
}
