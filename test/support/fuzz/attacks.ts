import fc from 'fast-check';
import { TooSlow } from './send.js';

/** The server that is attacked. */
export interface Target {
  readonly url: string;
  /** Of an administrator, valid. */
  readonly token: string;
  /** How long any answer may take; left out: 5 s. */
  readonly answerMs?: number;
}

/** One piece of hostile traffic. */
export interface Attack {
  /** What is sent, in short. */
  readonly about: string;
  /**
   * Sends it.
   * @returns what the server did wrong, if anything
   * @throws TooSlow where it did not answer in time
   */
  launch(target: Target): Promise<string | undefined>;
}

/** All of some attacks, one after another, as one: each is made in every round. */
export function inTurn(attacks: readonly Attack[]): Attack {
  return {
    about: `${attacks.length} in turn`,
    launch: async (target) => {
      const problems: string[] = [];
      for (const { about, launch } of attacks) {
        const problem = await launch(target).catch((error: Error) => {
          if (error instanceof TooSlow) throw new TooSlow(`${about}: ${error.message}`);
          return error.message;
        });
        if (problem !== undefined) problems.push(`${about}: ${problem}`);
      }
      return problems.length === 0 ? undefined : problems.join('\n  ');
    },
  };
}

/** Attacks of one kind. */
export interface AttackKind {
  readonly name: string;
  readonly attacks: fc.Arbitrary<Attack>;
}

/** Watches whether others have to wait for what is done, by the time that the event loop works. */
export interface LoopGuard {
  /** Does the work; says what was wrong with the requests of others meanwhile, if anything. */
  watch<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly disturbance?: string }>;
  /** Repeats work that disturbed. @returns what was wrong the last time, if something was each time */
  confirm(work: () => Promise<unknown>): Promise<string | undefined>;
  /** Waits until others are served as they should be. */
  calm(): Promise<void>;
}

/** What is sent, and how much. */
export interface AttackOptions extends Target {
  readonly kinds: readonly AttackKind[];
  /** How many cases of each kind are played. */
  readonly rounds: number;
  readonly seed: number;
  /** Only this one of them. */
  readonly onlyRound?: number;
  /** Every line of level error or above that the server has logged so far. */
  readonly errorLines: () => readonly string[];
  /** Left out: it is not looked at whether others have to wait. */
  readonly guard?: LoopGuard;
}

/** A case after which something was wrong. */
export interface Finding {
  readonly kind: string;
  readonly round: number;
  readonly about: string;
  readonly problem: string;
}

interface Case extends Attack {
  readonly kind: string;
  readonly round: number;
}

interface Disturbance {
  /** Something that must never happen. */
  readonly serious?: string;
  /** Something took too long, perhaps because of others on the machine. */
  readonly slow?: string;
}

/** Launched at once: what breaks only beside others is found, too. */
const TOGETHER = 4;
/** How many repetitions must be slow, too, before work is said to be so. */
export const CONFIRMATIONS = 2;
/** Each would end a server process. */
const CRASHES = ['uncaughtException', 'unhandledRejection'] as const;

/** As pino counts levels. */
const ERROR_LEVEL = 50;

/**
 * Attacks a server, and holds it to what it promises: every answer in 5 s, no failure, no line of level error in the
 * log, and no other request has to wait. What only took too long counts when it does so twice more, alone.
 */
export async function attack(options: AttackOptions): Promise<readonly Finding[]> {
  const run = new AttackRun(options);
  try {
    for (const cases of groupsOf(options)) await run.judge(cases);
    return run.findings;
  } finally {
    run.close();
  }
}

/** The lines of a server's log that say that it has failed. */
export function errorLinesOf(logLines: readonly string[]): readonly string[] {
  return logLines.filter((line) => (JSON.parse(line) as { level: number }).level >= ERROR_LEVEL);
}

/** Findings as lines, each with the arguments of `npm run fuzz` that play its case alone. */
export function reportOf(findings: readonly Finding[], seed: number): string {
  return findings
    .map(({ kind, round, about, problem }) => `--seed ${seed} --only '${kind}' --round ${round}: ${about}: ${problem}`)
    .join('\n');
}

/** All cases, made when their turn comes: they can be large. */
function* groupsOf({ kinds, rounds, onlyRound, seed }: AttackOptions): Generator<Case[]> {
  for (let round = onlyRound ?? 0; round <= (onlyRound ?? rounds - 1); round += 1) {
    for (let first = 0; first < kinds.length; first += TOGETHER) {
      yield kinds.slice(first, first + TOGETHER).map(({ name, attacks }) => {
        // The same for the same seed and round, whatever else is played.
        const [sample] = fc.sample(attacks, { seed: (seed + fc.hash(name)) | 0, path: String(round), numRuns: 1 });
        if (!sample) throw new Error(`There is no case of ${name}.`);
        return { ...sample, kind: name, round };
      });
    }
  }
}

/** The same for one case and one kind of problem, whose figures and identifiers differ each time. */
function keyOf({ kind, about, problem }: Finding): string {
  return `${kind} ${about} ${problem.slice(0, 20)}`;
}

class AttackRun {
  readonly findings: Finding[] = [];
  private readonly crashes: string[] = [];

  constructor(private readonly options: AttackOptions) {
    for (const event of CRASHES) process.on(event, this.noteCrash);
  }

  close(): void {
    for (const event of CRASHES) process.off(event, this.noteCrash);
  }

  /**
   * Launches cases at once; each of them again alone, if there was more than wrong answers.
   * @returns whether something was found that must never happen
   */
  async judge(cases: readonly Case[]): Promise<boolean> {
    const { serious, slow } = await this.launch(cases);
    const [first] = cases;
    if (!first || (serious === undefined && slow === undefined)) return false;
    if (cases.length > 1) {
      let isFound = false;
      for (const single of cases) isFound = (await this.judge([single])) || isFound;
      if (serious !== undefined && !isFound) this.note(first, `beside the next cases ${serious}`);
    } else if (serious !== undefined) {
      this.note(first, serious);
    } else {
      const again = await this.confirmSlow(cases);
      if (again !== undefined) this.note(first, again);
    }
    return serious !== undefined;
  }

  /** What was slow the last time, if something is each time: once may be a collection of garbage. */
  private async confirmSlow(cases: readonly Case[]): Promise<string | undefined> {
    let slow: string | undefined;
    for (let turn = 0; turn < CONFIRMATIONS; turn += 1) {
      ({ slow } = await this.launch(cases));
      if (slow === undefined) return undefined;
    }
    return slow;
  }

  private async launch(cases: readonly Case[]): Promise<Disturbance> {
    const { errorLines, guard } = this.options;
    const [errorsBefore, crashesBefore] = [errorLines().length, this.crashes.length];
    const late: string[] = [];
    const play = () =>
      Promise.all(
        cases.map(async (single) => {
          try {
            const problem = await single.launch(this.options);
            if (problem !== undefined) this.note(single, problem);
          } catch (error) {
            if (error instanceof TooSlow) late.push(error.message);
            else this.note(single, `the connection broke: ${(error as Error).message}`);
          }
        }),
      );
    const disturbance = guard ? (await guard.watch(play)).disturbance : (await play(), undefined);
    const slow = disturbance ?? late[0];
    if (slow !== undefined) await guard?.calm();
    const line = errorLines()[errorsBefore];
    const serious = this.crashes[crashesBefore] ?? (line && `an error was logged: ${line.slice(0, 500)}`);
    return { serious, slow };
  }

  private note({ kind, round, about }: Case, problem: string): void {
    const finding = { kind, round, about, problem };
    const isKnown = this.findings.some((known) => keyOf(known) === keyOf(finding));
    if (!isKnown) this.findings.push(finding);
  }

  private readonly noteCrash = (error: unknown): void =>
    void this.crashes.push(`nobody handled ${error instanceof Error ? error.stack : String(error)}`);
}
