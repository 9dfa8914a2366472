import type { Redis } from '../redis/redis.js';
import { MemoryTopics } from './topics.js';
import type { Listener, Topics } from './topics.js';

const CHANNEL = 'topic:';

/** Topics over all replicas. While Redis is down each process hears itself alone. */
export class RedisTopics implements Topics {
  private readonly local = new MemoryTopics();

  constructor(private readonly redis: Redis) {
    redis.listen(`${CHANNEL}*`, (text, channel) => this.local.publish(channel.slice(CHANNEL.length), JSON.parse(text)));
  }

  publish(topic: string, message: unknown): void {
    this.redis.publish(CHANNEL + topic, JSON.stringify(message)).catch(() => this.local.publish(topic, message));
  }

  subscribe(topic: string, listener: Listener): () => void {
    return this.local.subscribe(topic, listener);
  }
}
