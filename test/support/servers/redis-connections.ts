import { Redis } from '../../../src/platform/redis/redis.js';
import { eventually } from '../probes/eventually.js';
import { silentLog } from '../probes/silent-log.js';

/** Connections to Redis that a test opens, and closes together. */
export class RedisConnections {
  private readonly opened: Redis[] = [];

  /** Opens one, which may never be ready. */
  open(url: string): Redis {
    const redis = new Redis(url, silentLog);
    this.opened.push(redis);
    return redis;
  }

  /** Opens one and waits until it is ready. */
  async openReady(url: string): Promise<Redis> {
    const redis = this.open(url);
    await eventually('Redis is ready', 10, () => redis.isReady);
    return redis;
  }

  closeAll(): void {
    for (const redis of this.opened.splice(0)) redis.close();
  }
}
