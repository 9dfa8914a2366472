import { objectsOf, parseJsonObject } from '../../../platform/json/json-object.js';
import type { JsonObject } from '../../../platform/json/json-object.js';
import { audioTraits } from '../../speech/audio-traits.js';
import { excessOf, MODELS_JSON } from '../../streaming/json-limits.js';
import type { ServedModel } from '../backend.js';
import { CONTROL_CHARACTERS } from '../backend-settings.js';
import type { AudioSettings, OpenaiSettings } from '../backend-settings.js';
import type { ProbedList } from '../health/server-probe.js';

/** The most models that a server may tell, and how long their names may be. */
const MODELS = 1_000;
const NAME_CHARACTERS = 256;

/** The models of a server of the chat-completions interface, as it lists them or as they are configured. */
export class ListedModels implements ProbedList {
  readonly path = '/models';
  private readonly startedAt = Math.floor(Date.now() / 1000);

  /** @param owner whose the models are where the server does not say it */
  constructor(
    private readonly settings: OpenaiSettings,
    private readonly owner: string,
  ) {}

  /** Undefined where the server is asked for them. */
  get configured(): readonly ServedModel[] | undefined {
    return this.settings.models?.map(({ id, upstream, max_tokens: maxTokens, audio }) => ({
      ...this.servedModel(id, upstream, {}, audio),
      maxTokens,
    }));
  }

  read(body: Buffer): readonly ServedModel[] {
    const excess = excessOf(body, MODELS_JSON);
    if (excess) throw excess;
    const list = parseJsonObject(body);
    if (!Array.isArray(list?.data)) throw new Error('/models answered no list');
    return objectsOf(list.data)
      .filter((entry): entry is JsonObject & { id: string } => isModelName(entry.id))
      .slice(0, MODELS)
      .map((entry) => this.servedModel(entry.id, entry.id, entry));
  }

  private servedModel(id: string, upstream: string, entry: JsonObject = {}, audio?: AudioSettings): ServedModel {
    const { supports } = this.settings;
    const hasAudio = supports.includes('transcribe') || supports.includes('speech');
    return {
      id,
      upstream,
      created: Number.isSafeInteger(entry.created) ? (entry.created as number) : this.startedAt,
      ownedBy: typeof entry.owned_by === 'string' ? entry.owned_by : this.owner,
      capabilities: supports,
      ...(hasAudio && { audio: audioTraits({ ...this.settings.audio, ...audio }) }),
    };
  }
}

function isModelName(id: unknown): boolean {
  return typeof id === 'string' && id !== '' && id.length <= NAME_CHARACTERS && !CONTROL_CHARACTERS.test(id);
}
