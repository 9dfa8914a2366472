import { Random } from '../../crash/random.js';
import { samplesOf, silence, sox, spoken } from '../../support/builders/audio.js';
import { SENTENCES } from '../../support/builders/speech/sentences.js';

/** Ten minutes. */
export const SECONDS = 600;

const FORM = ['-r', '16000', '-c', '1', '-b', '16', '-t', 'wav', '-'];

/** Sounds in which nobody speaks, as samples of 16 bits at 16 kHz. */
export const SOUNDS: Readonly<Record<string, (seconds: number, seed: number) => Buffer>> = {
  silence: (seconds) => silence(seconds),
  'a hum of the mains': (seconds) =>
    make(['synth', String(seconds), 'sine', '50', 'synth', String(seconds), 'sine', 'mix', '150', 'gain', '-12']),
  'white noise': (seconds) => make(['synth', String(seconds), 'whitenoise', 'gain', '-20']),
  'pink noise': (seconds) => make(['synth', String(seconds), 'pinknoise', 'gain', '-12']),
  'brown noise': (seconds) => make(['synth', String(seconds), 'brownnoise', 'gain', '-12']),
  music,
  clicks,
};

/** Chords of plucked strings, a new one every half second. */
function music(seconds: number, seed: number): Buffer {
  const random = new Random(seed);
  const bars: Buffer[] = [];
  const chords = Array.from({ length: 12 }, () => {
    const base = 110 * 2 ** (random.between(0, 12) / 12);
    const note = (step: number): string => (base * step).toFixed(1);
    const others = [1.26, 1.5].flatMap((step) => ['synth', '0.5', 'pluck', 'mix', note(step)]);
    return make(['synth', '0.5', 'pluck', note(1), ...others, 'gain', '-20']);
  });
  for (let time = 0; time < seconds; time += 0.5) bars.push(random.pick(chords));
  return Buffer.concat(bars);
}

/** Short knocks at odd times. */
function clicks(seconds: number, seed: number): Buffer {
  const random = new Random(seed);
  const samples = silence(seconds);
  for (let time = 0.5; time < seconds - 1; time += 0.1 + random.next()) {
    const start = Math.round(time * 16_000);
    for (let index = 0; index < 200; index += 1) {
      const sample = (random.next() - 0.5) * 40_000 * Math.exp(-index / 40);
      samples.writeInt16LE(Math.round(sample), (start + index) * 2);
    }
  }
  return samples;
}

/** A sentence somewhere in each stretch of a sound, and where. */
export function withSpeech(
  sound: Buffer,
  everySeconds: number,
  seed: number,
): { readonly samples: Buffer; readonly spans: readonly { readonly start: number; readonly end: number }[] } {
  const random = new Random(seed);
  const samples = Buffer.from(sound);
  const spans: { start: number; end: number }[] = [];
  for (let from = 0; from + everySeconds <= samples.length / 32_000; from += everySeconds) {
    const said = samplesOf(spoken(random.pick(SENTENCES), { voice: random.pick(['slt', 'awb', 'rms']) }));
    const start = from + random.next() * Math.max(0, everySeconds - said.length / 32_000 - 1);
    const place = Math.round(start * 16_000) * 2;
    for (let index = 0; index + 2 <= said.length; index += 2) {
      const mixed = samples.readInt16LE(place + index) + said.readInt16LE(index);
      samples.writeInt16LE(Math.max(-32_768, Math.min(32_767, mixed)), place + index);
    }
    spans.push({ start, end: start + said.length / 32_000 });
  }
  return { samples, spans };
}

function make(effects: readonly string[]): Buffer {
  return samplesOf(sox(['-R', '-n', ...FORM, ...effects]));
}
