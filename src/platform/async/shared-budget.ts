import { ByteBudget } from './byte-budget.js';

/** Who takes from a budget. */
export interface BudgetOwner {
  readonly tenantId: string;
  readonly userId: string;
}

/** The most bytes at once: of all together, of a tenant and of a user. */
export interface BudgetShares {
  readonly all: number;
  readonly tenant: number;
  readonly user: number;
}

/** Bytes that callers hold at the same time, none of them more than its share. */
export class SharedBudget {
  private readonly all: ByteBudget;
  /** Of the tenants and users that hold anything. */
  private readonly shares = new Map<string, ByteBudget>();

  constructor(private readonly most: BudgetShares) {
    this.all = new ByteBudget(most.all);
  }

  /** What is held now. */
  get held(): number {
    return this.all.held;
  }

  /** Takes so many. @returns whose share has no room for them, and nothing is taken then; undefined: they are taken */
  take(owner: BudgetOwner | undefined, bytes: number): keyof BudgetShares | undefined {
    const budgets = this.budgetsOf(owner);
    const full = budgets.findIndex(({ budget }) => !budget.take(bytes));
    if (full < 0) {
      for (const { key, budget } of budgets) if (key !== undefined && budget.held > 0) this.shares.set(key, budget);
      return undefined;
    }
    for (const { budget } of budgets.slice(0, full)) budget.release(bytes);
    return budgets[full]?.level;
  }

  /** Gives back what the owner has taken. */
  release(owner: BudgetOwner | undefined, bytes: number): void {
    for (const { key, budget } of this.budgetsOf(owner)) {
      budget.release(bytes);
      if (key !== undefined && budget.held === 0) this.shares.delete(key);
    }
  }

  /** The narrowest first: whoever has used up its own share is told so. */
  private budgetsOf(owner: BudgetOwner | undefined) {
    const all = { level: 'all', key: undefined, budget: this.all } as const;
    if (!owner) return [all];
    const [tenantKey, userKey] = [JSON.stringify([owner.tenantId]), JSON.stringify([owner.tenantId, owner.userId])];
    return [
      { level: 'user', key: userKey, budget: this.shares.get(userKey) ?? new ByteBudget(this.most.user) },
      { level: 'tenant', key: tenantKey, budget: this.shares.get(tenantKey) ?? new ByteBudget(this.most.tenant) },
      all,
    ] as const;
  }
}
