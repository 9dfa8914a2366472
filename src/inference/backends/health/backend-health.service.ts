import type { Caller } from '../../../access/caller.js';
import type { Topics } from '../../../platform/cluster/topics.js';
import type { Backend } from '../backend.js';
import type { BackendRegistry } from '../backend-registry.js';
import type { BackendsService } from '../backends.service.js';
import type { BackendInstance } from '../../models/model.types.js';
import { PullIterator } from '../../../platform/async/pull-iterator.js';

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
    const messages = this.topics.subscribe(TOPIC) as AsyncIterableIterator<{ readonly id: string }>;
    const next = async (): Promise<BackendInstance | undefined> => {
      for (;;) {
        const message = await messages.next();
        if (message.done) return undefined;
        const backend = this.registry.visibleTo(caller.tenantId).find(({ id }) => id === message.value.id);
        if (backend) return this.backends.describe(caller, backend);
      }
    };
    return new PullIterator(next, () => void messages.return?.());
  }
}
