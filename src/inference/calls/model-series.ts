/** What labels are made of. */
export interface NamedBackend {
  readonly id: string;
  /** The tenant whose own it is; null: the operator's. */
  readonly tenantId: string | null;
  readonly models: readonly { readonly id: string }[];
}

/** The labels of what is counted of one model of one backend. */
export interface ModelSeries {
  readonly labels: { readonly backend: string; readonly model: string };
  /** The same for histograms, which have twenty lines each: only the first ones have their own. */
  readonly timedLabels: { readonly backend: string; readonly model: string };
}

/** How many models are named: of one backend, of all together, and of these in histograms. */
interface Bounds {
  readonly ofBackend: number;
  readonly named: number;
  readonly timed: number;
}

const OPERATOR: Bounds = { ofBackend: 200, named: 200, timed: 40 };
const TENANTS: Bounds = { ofBackend: 20, named: 100, timed: 20 };
const OTHER = { backend: 'other', model: 'other' } as const;
const OTHERS: ModelSeries = { labels: OTHER, timedLabels: OTHER };
/** How often it is looked for series to end because there is no room for new ones. */
const SWEEP_MS = 10_000;

interface KnownSeries extends ModelSeries {
  readonly ofTenant: boolean;
}

/**
 * Which models are named in metrics. Whoever has a backend of their own can invent models without end, so their number
 * is bounded; what is beyond is `other`. A series begins with the first call of its model, and ends with the backend.
 */
export class ModelSeriesRegistry {
  private readonly known = new Map<string, KnownSeries>();
  private sweptAt = Number.NEGATIVE_INFINITY;

  /**
   * @param backends those that there are now
   * @param ended called for each series that has ended
   */
  constructor(
    private readonly backends: () => readonly NamedBackend[],
    private readonly ended: (series: ModelSeries) => void,
  ) {}

  /** The series of a model as a backend serves it, or that of all others. */
  of(backend: string, model: string): ModelSeries {
    const key = `${backend}\n${model}`;
    return this.known.get(key) ?? this.begin(key, backend, model) ?? OTHERS;
  }

  /** Ends the series of what is not there any more. */
  sweep(): void {
    this.sweptAt = performance.now();
    const there = new Map(this.backends().map((backend) => [backend.id, backend]));
    for (const [key, series] of this.known) {
      const { backend, model } = series.labels;
      if (serves(there.get(backend), model)) continue;
      this.known.delete(key);
      this.ended(series);
    }
  }

  private begin(key: string, id: string, model: string): ModelSeries | undefined {
    const backend = this.backends().find((entry) => entry.id === id);
    if (!backend || !serves(backend, model)) return undefined;
    if (!this.hasRoom(backend) && performance.now() - this.sweptAt > SWEEP_MS) this.sweep();
    if (!this.hasRoom(backend)) return undefined;
    const ofTenant = backend.tenantId !== null;
    const labels = { backend: id, model };
    const timed = this.count((series) => series.ofTenant === ofTenant && series.timedLabels !== OTHER);
    const series = { labels, timedLabels: timed < boundsOf(backend).timed ? labels : OTHER, ofTenant };
    this.known.set(key, series);
    return series;
  }

  private hasRoom(backend: NamedBackend): boolean {
    const { ofBackend, named } = boundsOf(backend);
    const ofTenant = backend.tenantId !== null;
    return (
      this.count((series) => series.labels.backend === backend.id) < ofBackend &&
      this.count((series) => series.ofTenant === ofTenant) < named
    );
  }

  private count(matches: (series: KnownSeries) => boolean): number {
    let count = 0;
    for (const series of this.known.values()) if (matches(series)) count += 1;
    return count;
  }
}

function boundsOf({ tenantId }: NamedBackend): Bounds {
  return tenantId === null ? OPERATOR : TENANTS;
}

function serves(backend: NamedBackend | undefined, model: string): boolean {
  return backend?.models.some(({ id }) => id === model) ?? false;
}
