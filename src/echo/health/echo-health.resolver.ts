import { Ctx, Query, Resolver } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { CallOwner } from '../../access/caller.js';
import type { RequestContext } from '../../context.js';
import type { Models } from '../../inference/domain.js';
import type { AudioProcessor } from '../../platform/audio/audio-processor.js';
import { stateOfBacklog } from '../../platform/jobs/watched-backlog.js';
import type { WatchedBacklog } from '../../platform/jobs/watched-backlog.js';
import type { CheckState } from '../../platform/telemetry/health.js';
import { EchoHealth } from './echo-health.types.js';
import type { SpeechEngineHealth } from './echo-health.types.js';

interface EchoHealthParts {
  readonly models: Pick<Models, 'speechEngines'>;
  readonly audio: Pick<AudioProcessor, 'ffmpeg'>;
  readonly backlog: Pick<WatchedBacklog, 'read'>;
}

/** How speech does. */
@Resolver()
export class EchoHealthResolver {
  constructor(private readonly parts: EchoHealthParts) {}

  @Access({ credential: 'bearer', scope: 'echo:read' })
  @Query(() => EchoHealth, { description: 'How speech does: its engines, and what waits to be transcribed.' })
  async echoHealth(@Ctx() context: RequestContext): Promise<EchoHealth> {
    const { audio, backlog } = this.parts;
    const [engines, queue] = await Promise.all([this.engines(callerOf(context)), backlog.read()]);
    const ofEngines = stateOfEngines(engines);
    const status = ofEngines === 'ok' ? stateOfBacklog(queue) : ofEngines;
    return { object: 'echo.health', status, engines, ffmpeg: audio.ffmpeg !== undefined, queue };
  }

  private async engines(caller: CallOwner): Promise<SpeechEngineHealth[]> {
    const engines = await this.parts.models.speechEngines(caller);
    return engines.map(({ model, operations, isHealthy }) => ({ model, operations: [...operations], ok: isHealthy }));
  }
}

function stateOfEngines(engines: readonly SpeechEngineHealth[]): CheckState {
  if (engines.length === 0) return 'off';
  if (engines.every(({ ok }) => ok)) return 'ok';
  return engines.some(({ ok }) => ok) ? 'degraded' : 'down';
}
