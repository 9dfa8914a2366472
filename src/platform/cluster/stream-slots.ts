import type { SharedCounting } from './rate-counter.js';

/**
 * Sets how many this process has, unless all processes together have as many as there may be. What a dead process had
 * is dropped: its sign of life ends by itself.
 */
const TAKE = `
  local taken = 0
  for _, process in ipairs(redis.call('HKEYS', KEYS[1])) do
    if process ~= ARGV[1] then
      if redis.call('EXISTS', 'process:' .. process) == 1 then
        taken = taken + tonumber(redis.call('HGET', KEYS[1], process))
      else
        redis.call('HDEL', KEYS[1], process)
      end
    end
  end
  if taken + tonumber(ARGV[2]) > tonumber(ARGV[3]) then return 0 end
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
  redis.call('EXPIRE', KEYS[1], 86400)
  return 1`;

/**
 * How many streams each subject has open at once, over all processes. Each process tells how many it has, so what Redis
 * knows is right again with the next stream, whatever was lost; while Redis is away each process allows its share.
 */
export class StreamSlots {
  private readonly open = new Map<string, number>();

  /** @param processId whose sign of life is the key `process:<id>` */
  constructor(
    private readonly processId: string,
    private readonly sharing: SharedCounting,
  ) {}

  /**
   * Takes a slot.
   * @param limit the most at once
   * @returns what gives it back, once; undefined where all are taken
   */
  async take(subject: string, limit: number): Promise<(() => void) | undefined> {
    const mine = (this.open.get(subject) ?? 0) + 1;
    // Before anything is awaited: another stream of this process must see it.
    this.open.set(subject, mine);
    if (!(await this.isFree(subject, mine, limit))) {
      this.release(subject);
      return undefined;
    }
    let isTaken = true;
    return () => {
      if (isTaken) this.release(subject);
      isTaken = false;
    };
  }

  private async isFree(subject: string, mine: number, limit: number): Promise<boolean> {
    const { redis, processes } = this.sharing;
    if (!redis) return mine <= limit;
    try {
      return (await redis.run(TAKE, [`streams:${subject}`], [this.processId, String(mine), String(limit)])) === 1;
    } catch {
      return mine <= Math.ceil(limit / Math.max(1, processes()));
    }
  }

  private release(subject: string): void {
    const left = (this.open.get(subject) ?? 1) - 1;
    if (left > 0) this.open.set(subject, left);
    else this.open.delete(subject);
    const { redis } = this.sharing;
    // A loss is put right by the next stream that is opened.
    void redis?.setField(`streams:${subject}`, this.processId, String(left)).catch(() => undefined);
  }
}
