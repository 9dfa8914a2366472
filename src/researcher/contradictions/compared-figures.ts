import { isSameFigure } from '../../platform/text/support/figures.js';
import type { Figure } from '../../platform/text/support/figures.js';
import type { LinkedFigure } from '../../platform/text/support/proof/figure-links.js';

const NONE: ReadonlySet<string> = new Set();

/** Figures of a statement that are compared with those of many others: those written alike are found at once. */
export class ComparedFigures {
  private readonly keys: ReadonlySet<string>;

  constructor(readonly all: readonly LinkedFigure[]) {
    this.keys = new Set(all.flatMap(({ figure }) => keysOf(figure)));
  }

  /** Whether a figure is one of these. */
  has(figure: Figure): boolean {
    return this.hasAlike(figure) || this.all.some((own) => isSameFigure(figure, own.figure, NONE));
  }

  /** Whether each is one of the other ones, or says more or less of one, and the other way round. */
  equals(other: ComparedFigures): boolean {
    return this.containsAll(other) && other.containsAll(this);
  }

  private containsAll({ all }: ComparedFigures): boolean {
    return all.every(
      ({ figure }) => this.has(figure) || this.all.some((own) => isSameFigure(own.figure, figure, NONE)),
    );
  }

  private hasAlike(figure: Figure): boolean {
    return keysOf(figure).some((key) => this.keys.has(key));
  }
}

function keysOf({ kind, unit, readings }: Figure): string[] {
  return readings.map((reading) => `${kind} ${unit} ${reading}`);
}
