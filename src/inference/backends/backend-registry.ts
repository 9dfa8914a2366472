import type { Backend } from './backend.js';

/** The backends that there are at the moment, in their order: those of the configuration first. */
export class BackendRegistry {
  private backends: readonly Backend[];

  constructor(configured: readonly Backend[]) {
    this.backends = configured;
  }

  get all(): readonly Backend[] {
    return this.backends;
  }

  /** Those that serve everybody, and the tenant's own. */
  visibleTo(tenantId: string): readonly Backend[] {
    return this.backends.filter((backend) => backend.tenantId === null || backend.tenantId === tenantId);
  }

  /** Adds a backend, in the place of the one with its id where there is one; that one is closed when its calls are over. */
  put(backend: Backend): void {
    const at = this.backends.findIndex(({ id }) => id === backend.id);
    const [before] = at < 0 ? [] : this.backends.slice(at, at + 1);
    this.backends = at < 0 ? [...this.backends, backend] : this.backends.with(at, backend);
    void before?.retire();
  }

  /** Takes a backend away; it is closed when its calls are over. */
  remove(id: string): void {
    const removed = this.backends.find((backend) => backend.id === id);
    this.backends = this.backends.filter((backend) => backend !== removed);
    void removed?.retire();
  }

  /** Ends every call and every connection. */
  async close(): Promise<void> {
    await Promise.all(this.backends.map((backend) => backend.close()));
  }
}
