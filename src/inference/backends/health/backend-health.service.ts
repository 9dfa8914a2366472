import type { Caller } from '../../../access/caller.js';
import type { Topics } from '../../../platform/cluster/topics.js';
import type { Backend } from '../backend.js';
import type { BackendRegistry } from '../backend-registry.js';
import type { BackendsService } from '../backends.service.js';
import type { BackendInstance } from '../../models/model.types.js';
import { EventIterator } from '../../../platform/async/event-iterator.js';

const TOPIC = 'backend-health';

/** Tells of backends that have become healthy, or are not any more. */
export class BackendHealthService {
  constructor(
    private readonly topics: Topics,
    private readonly registry: BackendRegistry,
    private readonly backends: BackendsService,
  ) {}

  /** To be called when the health of a backend has changed. */
  readonly changed = ({ id }: Backend): void => this.topics.publish(TOPIC, { id });

  /** Each backend that serves the caller's tenant, as it is whenever its health has changed. */
  changes(caller: Caller): AsyncIterableIterator<BackendInstance> {
    return new EventIterator<unknown, BackendInstance>({
      listen: (push) => this.topics.subscribe(TOPIC, push),
      read: (message) => {
        const { id: changedId } = message as { readonly id: string };
        const backend = this.registry.visibleTo(caller.tenantId).find(({ id }) => id === changedId);
        return backend && this.backends.describe(caller, backend);
      },
    });
  }
}
