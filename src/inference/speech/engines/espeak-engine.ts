import type { BudgetOwner } from '../../../platform/async/shared-budget.js';
import { askProgram } from '../../../platform/programs/ask-program.js';
import { findProgram } from '../../../platform/programs/find-program.js';
import type { AudioTraits, PcmSource, SpeechRequest } from '../engine.types.js';
import type { Voice } from '../audio.types.js';
import { WavSource } from '../wav-source.js';
import { ProgramOutput } from './program-output.js';
import { ProgramRunner } from './program-runner.js';
import { soundPlaces } from './sound-places.js';
import type { SpeechEngine } from './speech-engine.js';
import { chooseVoice } from './voices.js';

const PROGRAM = 'espeak-ng';
/** Of a text of 4,096 characters, which takes less than a second. */
const SECONDS = 60;
/** How many run at once: of all callers, of a tenant and of a user. Each runs until its sound is read, or its time is over. */
const PROCESSES = { places: 8, perTenant: 6, perUser: 4 };
/** Words a minute at its own pace, and what it takes. */
const PACE = { usual: 175, least: 80, most: 450 };
const DEFAULT_LANGUAGE = 'en-us';
/** A letter of an abbreviation. */
const DOTTED_LETTER = /(?<![\p{L}\p{M}\p{N}])(\p{L}\p{M}{0,3})\./gu;
/** espeak-ng 1.51 writes beyond its stack where some fifty of them come one behind another. */
const MOST_DOTTED_LETTERS = 20;

/** `espeak-ng`, where the operator has installed it: one process a call, the text on its standard input. */
export class EspeakEngine implements SpeechEngine {
  readonly id = 'espeak-ng';
  readonly created = 1_763_856_000;
  readonly capabilities = ['speech'] as const;
  readonly audio: AudioTraits;
  private readonly places = soundPlaces(PROCESSES);

  private constructor(
    private readonly programs: ProgramRunner,
    voices: readonly Voice[],
  ) {
    this.audio = {
      maxSeconds: 0,
      maxBytes: 0,
      mediaTypes: [],
      givesWords: false,
      givesSegments: false,
      givesSpeakers: false,
      translates: false,
      voices,
    };
  }

  /** The engine where its program runs and has voices; undefined elsewhere. */
  static async find(): Promise<EspeakEngine | undefined> {
    const program = await findProgram(PROGRAM);
    if (program === undefined) return undefined;
    try {
      const voices = parseVoices(await askProgram(program, '--voices'));
      return voices.length > 0 ? new EspeakEngine(new ProgramRunner(program), voices) : undefined;
    } catch {
      return undefined;
    }
  }

  async speak({ input, voice, speed }: SpeechRequest, signal: AbortSignal, caller: BudgetOwner): Promise<PcmSource> {
    const chosen = chooseVoice(this.audio, voice);
    const place = await this.places.take({ ...caller, signal });
    const pace = Math.round(Math.min(PACE.most, Math.max(PACE.least, PACE.usual * speed)));
    const args = ['--stdin', '--stdout', '-b', '1', '-v', chosen, '-s', String(pace)];
    const program = this.programs.start({ args, input: withoutLongAbbreviations(input), seconds: SECONDS, signal });
    program.ended.catch(() => undefined).finally(() => place[Symbol.dispose]());
    return WavSource.open(new ProgramOutput(program));
  }

  close(): Promise<void> {
    return this.programs.close();
  }
}

/** The text; where it has many abbreviations, their letters stand by themselves, which sounds alike. */
function withoutLongAbbreviations(text: string): string {
  const count = text.match(DOTTED_LETTER)?.length ?? 0;
  return count > MOST_DOTTED_LETTERS ? text.replaceAll(DOTTED_LETTER, '$1 ') : text;
}

/** A line for each voice: priority, language, age and gender, name, file. The usual language comes first. */
function parseVoices(listing: string): Voice[] {
  const voices = new Map<string, Voice>();
  for (const line of listing.split('\n').slice(1)) {
    const [, language, , name] = line.trim().split(/\s+/);
    if (language && name && /^[\w-]+$/.test(language) && !voices.has(language))
      voices.set(language, { id: language, name: name.replaceAll('_', ' '), language });
  }
  const isFirst = ({ id }: Voice): number => Number(id === DEFAULT_LANGUAGE);
  return [...voices.values()].sort((one, other) => isFirst(other) - isFirst(one));
}
