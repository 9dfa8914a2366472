import { RateLimited, Unavailable } from '../../errors.js';
import { WorkTurns } from '../extraction/child/work-turns.js';
import type { WorkTurn } from '../extraction/child/work-turns.js';
import type { Gauge } from '../telemetry/metrics.js';
import type { AudioFormat } from './audio.types.js';
import { Encoder, needsProgram } from './encoder.js';

/** What one tenant, and one user, may have of the places. */
const TENANT_SHARE = 1 / 2;
const USER_SHARE = 1 / 4;
/** How long anybody waits for a place, in milliseconds. */
const WAIT_MS = 10_000;
/** How long a reader may take for what it was given, which is 64 KiB where it is slow: less than half of what is heard. */
const STALL_MS = 30_000;
/** What those who are refused are told to wait. */
const RETRY_SECONDS = 5;

interface EncodersOptions {
  /** The path of ffmpeg, where it is installed. */
  readonly ffmpeg: string | undefined;
  /** How many programs write audio at once. */
  readonly places: number;
  readonly waitMs?: number;
  readonly stallMs?: number;
}

/** Whose audio is written. */
type EncoderOwner = Omit<WorkTurn, 'kind'>;

/** The programs that write audio: each has a place, of which one tenant may have half and one user a quarter. */
export class Encoders {
  private readonly turns: WorkTurns;
  private readonly perUser: number;

  constructor(private readonly options: EncodersOptions) {
    const { places } = options;
    this.perUser = Math.ceil(places * USER_SHARE);
    this.turns = new WorkTurns(places, { perTenant: Math.ceil(places * TENANT_SHARE), perUser: this.perUser });
  }

  /** Programs that write audio, and answers that wait for one. */
  get gauges(): readonly Gauge[] {
    return [
      {
        name: 'platform_audio_encoders',
        help: `Places of programs that write audio that are taken, of ${this.options.places} at most.`,
        labels: [],
        read: () => [{ value: this.turns.taken }],
      },
      {
        name: 'platform_audio_encoders_waiting',
        help: 'Answers that wait for a program that writes audio.',
        labels: [],
        read: () => [{ value: this.turns.waiting }],
      },
    ];
  }

  /**
   * An encoder for one audio; waits a while for its place where a program is needed. To be called before the work begins
   * whose sound is written.
   * @param signal ends the encoder, and gives back its place; to be aborted where its audio is read no further
   * @throws RateLimited where the user or its tenant has as many as it may; Unavailable where all are taken; the reason of
   * the signal
   */
  async open(format: AudioFormat, owner: EncoderOwner, signal: AbortSignal): Promise<Encoder> {
    const { ffmpeg, stallMs = STALL_MS } = this.options;
    const release = needsProgram(format) ? await this.take(owner, signal) : () => undefined;
    return new Encoder({ format, ffmpeg, stallMs, signal, release });
  }

  private async take({ tenantId, userId }: EncoderOwner, signal: AbortSignal): Promise<() => void> {
    const turn = { tenantId, userId, kind: 'request' } as const;
    if (this.turns.waitingOf(turn) >= this.perUser) throw this.refusal(turn);
    const late = AbortSignal.timeout(this.options.waitMs ?? WAIT_MS);
    try {
      return await this.turns.take(turn, AbortSignal.any([signal, late]));
    } catch (error) {
      throw error === late.reason ? this.refusal(turn) : error;
    }
  }

  private refusal(turn: WorkTurn): Error {
    const limit = this.turns.reachedLimit(turn);
    if (limit === undefined) return new Unavailable('Too much audio is being encoded at the moment.', RETRY_SECONDS);
    const message = `At most ${limit} answers may be encoded as audio at once. Please wait for one of them to end.`;
    return new RateLimited(message, { limit, remaining: 0, resetSeconds: RETRY_SECONDS });
  }
}
