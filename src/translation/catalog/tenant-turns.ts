import { CooperativeYield } from '../../platform/async/cooperative-yield.js';

/** Turns of long work for tenants: however much one of them asks for, it waits in one place of the queue that all share. */
export class TenantTurns {
  /** The last turn that each tenant waits for. */
  private readonly last = new Map<string, Promise<void>>();

  /** Resolves when everything else has had its turn, and whatever the tenant has asked for before. */
  next(tenantId: string): Promise<void> {
    const before = this.last.get(tenantId) ?? Promise.resolve();
    const turn = before.then(() => new CooperativeYield().yield());
    this.last.set(tenantId, turn);
    void turn.then(() => this.last.get(tenantId) === turn && this.last.delete(tenantId));
    return turn;
  }
}
