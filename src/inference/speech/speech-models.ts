import type { ByokKey, CallOwner } from '../../access/caller.js';
import { Conflict } from '../../errors.js';
import type { ModelPoliciesService } from '../models/model-policies.service.js';
import type { BackendRegistry, Route } from '../backends/backend-registry.js';
import type { Backend } from '../backends/backend.js';
import { audioTraits, languageOf } from './audio-traits.js';
import type { AudioTraits } from './engine.types.js';
import type { ModelVoices, SpeechEngine, TranscribeCall, TranscribeLimits } from './speech.types.js';

/** What a model must be able to do. */
export interface SpeechNeed {
  readonly operation: 'transcribe' | 'speech';
  readonly byok?: ByokKey | undefined;
  /** Whether an engine would do; default: any. */
  readonly fits?: (traits: AudioTraits) => boolean;
}

/** Knows which models of a tenant transcribe and speak. */
export class SpeechModels {
  constructor(
    private readonly backends: Pick<BackendRegistry, 'visibleTo'>,
    private readonly policies: Pick<ModelPoliciesService, 'allows'>,
  ) {}

  /**
   * The model that is asked where none is named: the first that can and that the policy allows, those of backends before
   * those of this machine.
   * @throws Conflict `capability_not_supported` where there is none
   */
  async choose(caller: CallOwner, need: SpeechNeed): Promise<Route> {
    const routes = await this.routes(caller, need.operation);
    const found = routes.find(({ backend, model }) => {
      const takesKey = need.byok === undefined || backend.takesKeys;
      return takesKey && (need.fits?.(model.audio ?? audioTraits()) ?? true);
    });
    if (found) return found;
    const what = need.operation === 'speech' ? 'speaks' : 'transcribes this';
    throw new Conflict('capability_not_supported', `There is no model that ${what}.`, 'model');
  }

  /** What the engine takes and gives that would be asked. @throws as `choose` does */
  async limits(caller: CallOwner, model: string | undefined): Promise<TranscribeLimits> {
    const routes = await this.routes(caller, 'transcribe');
    const route = model === undefined ? routes[0] : routes.find((candidate) => candidate.model.id === model);
    if (!route) {
      const named = model === undefined ? 'There is no model that transcribes.' : `The model does not transcribe.`;
      throw new Conflict('capability_not_supported', named, 'model');
    }
    const { maxSeconds, maxBytes, mediaTypes, givesWords, givesSegments, givesSpeakers, translates } = traitsOf(route);
    const gives = { givesWords, givesSegments, givesSpeakers, translates };
    return { model: route.model.id, maxSeconds, maxBytes, mediaTypes, ...gives };
  }

  /** Every model that transcribes or speaks, and that the tenant may use. */
  async engines(caller: CallOwner): Promise<SpeechEngine[]> {
    const models = new Map<string, SpeechEngine>();
    for (const operation of ['transcribe', 'speech'] as const) {
      for (const { backend, model } of await this.routes(caller, operation)) {
        const { operations, isHealthy } = models.get(model.id) ?? { operations: [], isHealthy: false };
        const all = [...new Set([...operations, operation])];
        models.set(model.id, { model: model.id, operations: all, isHealthy: isHealthy || backend.healthy });
      }
    }
    return [...models.values()];
  }

  /** The voices of every model that speaks, and that the tenant may use. */
  async voices(caller: CallOwner): Promise<ModelVoices[]> {
    const models = new Map<string, ModelVoices>();
    for (const route of await this.routes(caller, 'speech')) {
      const { id } = route.model;
      if (!models.has(id)) models.set(id, { model: id, voices: traitsOf(route).voices });
    }
    return [...models.values()];
  }

  /** Those that can and that the tenant may use, in the order in which they are asked. */
  private async routes({ tenantId }: CallOwner, operation: 'transcribe' | 'speech'): Promise<Route[]> {
    const backends = this.backends.visibleTo(tenantId);
    await Promise.all(backends.filter(({ modelsKnown }) => !modelsKnown).map((backend) => backend.refresh()));
    const ordered = [...backends].sort((one, other) => isBuiltin(one) - isBuiltin(other));
    return ordered.flatMap((backend) =>
      backend.models
        .filter(({ id, capabilities }) => capabilities.includes(operation) && this.policies.allows(tenantId, id))
        .map((model) => ({ backend, model })),
    );
  }
}

/** Whether an engine may be asked for a call where no model is named. */
export function fitsCall({ language, translate }: TranscribeCall): (traits: AudioTraits) => boolean {
  return ({ languages, translates }) => {
    const speaks = language === undefined || !languages || languages.includes(languageOf(language));
    return speaks && (!translate || translates);
  };
}

function traitsOf({ model }: Route): AudioTraits {
  return model.audio ?? audioTraits();
}

function isBuiltin({ kind }: Backend): number {
  return Number(kind === 'builtin');
}
