import type { SpeakerTurn } from '../../../src/echo/speakers/speakers.types.js';
import type { TrueTurn } from './conversations.js';

/** How well speakers were told apart. */
export interface SpeakerErrors {
  /** How many were told. */
  readonly found: number;
  /** Of the time in which somebody speaks and was heard, the share that was given to somebody else. */
  readonly wrong: number;
  /** … or to nobody. */
  readonly unknown: number;
}

const STEP = 0.01;

/** Compares turns with what is true; each speaker that was told is the voice that it covers most, and no voice is two. */
export function compareTurns(truth: readonly TrueTurn[], told: readonly SpeakerTurn[]): SpeakerErrors {
  const shared = new Map<string, Map<string, number>>();
  let [all, unknown] = [0, 0];
  for (const turn of told) {
    for (let time = turn.start + STEP / 2; time < turn.end; time += STEP) {
      const voice = truth.find(({ start, end }) => start <= time && time < end)?.voice;
      if (voice === undefined) continue;
      all += 1;
      if (turn.speaker === null) unknown += 1;
      else {
        const voices = shared.get(turn.speaker) ?? new Map<string, number>();
        voices.set(voice, (voices.get(voice) ?? 0) + 1);
        shared.set(turn.speaker, voices);
      }
    }
  }
  const right = bestMatch(shared);
  return { found: shared.size, wrong: (all - unknown - right) / all, unknown: unknown / all };
}

/** Greedy: the largest share first. */
function bestMatch(shared: ReadonlyMap<string, ReadonlyMap<string, number>>): number {
  const pairs = [...shared]
    .flatMap(([speaker, voices]) => [...voices].map(([voice, count]) => ({ speaker, voice, count })))
    .sort((one, other) => other.count - one.count);
  const [speakers, voices] = [new Set<string>(), new Set<string>()];
  let right = 0;
  for (const { speaker, voice, count } of pairs) {
    if (speakers.has(speaker) || voices.has(voice)) continue;
    speakers.add(speaker);
    voices.add(voice);
    right += count;
  }
  return right;
}
