import type { RestAnswer } from '../servers/platform.js';
import type { AnyJson } from './any-json.js';
import { eventually } from './eventually.js';

/** What is asked for its health: a platform, or a gateway with one. */
interface HealthSource {
  request(method: string, path: string): Promise<RestAnswer>;
}

/** `/health` as soon as it says what is awaited: on a busy machine a check may be `degraded` before. */
export function awaitHealth(source: HealthSource, isAwaited: (body: AnyJson) => boolean): Promise<RestAnswer> {
  return eventually('health says what is awaited', 20, async () => {
    const answer = await source.request('GET', '/health');
    return isAwaited(answer.body) && answer;
  });
}
