import { globSync } from 'node:fs';
import { Random } from '../../crash/random.js';
import { samplesOf, silence, sox, spoken, wavOf } from '../../support/builders/audio.js';
import { REPLIES, SENTENCES } from '../../support/builders/speech/sentences.js';

/** Who speaks when. */
export interface TrueTurn {
  readonly voice: string;
  readonly start: number;
  readonly end: number;
}

/** Several voices that speak in turn. */
export interface Conversation {
  readonly voices: readonly string[];
  readonly wav: Buffer;
  readonly turns: readonly TrueTurn[];
}

/** Voices that flite has; `kal16` is of another kind (diphones) than the others. */
export const FLITE_VOICES = ['slt', 'awb', 'rms', 'kal16'] as const;

const LONGEST_GAP = 0.9;
const SHORTEST_GAP = 0.25;
/** So many turns are short replies. */
const SHORT_SHARE = 0.2;
const RATE_BYTES = 32_000;

/** What Debian's `pocketsphinx-testdata` has of a reader of LibriVox. */
const READER = '/usr/share/pocketsphinx/test/data/librivox/*.wav';

/** So many turns, none by the voice of the turn before, 0.25 to 0.9 s apart. `reader` is a recorded person. */
export function converse(voices: readonly string[], turnCount: number, seed: number): Conversation {
  const random = new Random(seed);
  const parts: Buffer[] = [silence(0.5)];
  const turns: TrueTurn[] = [];
  let time = 0.5;
  for (let index = 0; index < turnCount; index += 1) {
    const others = voices.filter((voice) => voice !== turns.at(-1)?.voice);
    // Everybody speaks at first.
    const voice = index < voices.length ? (voices[index] as string) : random.pick(others.length > 0 ? others : voices);
    const said = sayTurn(voice, random, index >= voices.length);
    const gap = silence(SHORTEST_GAP + random.next() * (LONGEST_GAP - SHORTEST_GAP));
    parts.push(said, gap);
    turns.push({ voice, start: time, end: time + said.length / RATE_BYTES });
    time += (said.length + gap.length) / RATE_BYTES;
  }
  return { voices, wav: wavOf(...parts), turns };
}

function sayTurn(voice: string, random: Random, mayBeShort: boolean): Buffer {
  if (voice === 'reader') {
    const file = random.pick(globSync(READER).sort());
    return trimmed(sox([file, '-r', '16000', '-c', '1', '-b', '16', '-t', 'wav', '-']));
  }
  const text =
    mayBeShort && random.chance(SHORT_SHARE)
      ? random.pick(REPLIES)
      : Array.from({ length: random.between(1, 2) }, () => random.pick(SENTENCES)).join(' ');
  return trimmed(spoken(text, { voice }));
}

/** Without the silence around it, so that gaps are as long as they are said to be. */
function trimmed(wav: Buffer): Buffer {
  const edge = ['silence', '1', '0.01', '0.5%', 'reverse'];
  return samplesOf(sox(['-t', 'wav', '-', '-t', 'wav', '-', ...edge, ...edge], wav));
}
