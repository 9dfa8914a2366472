import { Random } from '../../../crash/random.js';
import { PASSWORD } from '../../../support/builders/accounts.js';
import { cheapHash } from '../../../support/builders/cheap-hash.js';
import type { Platform } from '../../../support/servers/platform.js';
import { Scene } from './scene.js';
import type { Answered } from './scene.js';
import { STEP_KINDS } from './steps.js';
import type { StepKind } from './steps.js';

/** ESCALATION_SEED repeats a run. */
export const SEED = Number(process.env.ESCALATION_SEED ?? Date.now() % 1_000_000);
/** What a platform for sequences is started with. Failed sign-ins count against an address: each sequence has its own. */
export const SEQUENCE_ENV = { RATE_LIMIT_REQUESTS_PER_MINUTE: '0', TRUST_PROXY: '127.0.0.1/32' } as const;

const MOST_SEQUENCES = 1_000;
const STEPS = 6;

/** What sequences of steps have shown. */
export interface PlayedSequences {
  /** What must not have happened, with all that led to it. */
  readonly problems: readonly string[];
  /** The kinds of steps that were never done, or never refused: the rules have had nothing to judge about them. */
  readonly oneSided: readonly StepKind[];
}

/** Plays at least so many sequences, and more until each kind of step was done, and refused: a seed may leave one out. */
export async function playSequences(platform: Platform, atLeast: number): Promise<PlayedSequences> {
  const passwordHash = cheapHash(PASSWORD);
  const problems: string[] = [];
  const answered: Answered = new Map();
  const oneSided = () => STEP_KINDS.filter((kind) => !answered.get(kind)?.done || !answered.get(kind)?.refused);
  const isOver = (number: number) => number >= MOST_SEQUENCES || (number >= atLeast && oneSided().length === 0);

  for (let number = 0; problems.length === 0 && !isOver(number); number += 1) {
    const random = new Random(SEED * MOST_SEQUENCES + number);
    const scene = await Scene.start({ platform, random, number, passwordHash });
    problems.push(...(await scene.play(STEPS, answered)));
  }
  return { problems, oneSided: oneSided() };
}
