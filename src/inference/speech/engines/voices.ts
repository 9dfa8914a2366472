import { BadRequest } from '../../../errors.js';
import type { AudioTraits } from '../engine.types.js';

/** Voices that clients of OpenAI's interface name without having asked which there are. */
const USUAL_VOICES = new Set('alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse'.split(' '));

/**
 * The voice that an engine of this machine speaks with: the one that is named, or its first where none is, or one of
 * OpenAI's.
 * @throws BadRequest that names `voice`
 */
export function chooseVoice({ voices }: Pick<AudioTraits, 'voices'>, voice: string | undefined): string {
  const named = voices.find(({ id }) => id === voice);
  if (named) return named.id;
  const [first] = voices;
  if (first && (voice === undefined || USUAL_VOICES.has(voice))) return first.id;
  throw new BadRequest('voice is none that the model speaks with. GET /v1/echo/voices lists them.', 'voice');
}
