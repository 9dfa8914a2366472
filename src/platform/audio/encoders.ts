import { CallerPlaces } from '../async/caller-places.js';
import type { PlaceSeeker } from '../async/caller-places.js';
import type { Gauge } from '../telemetry/metrics.js';
import type { AudioFormat } from './audio.types.js';
import { Encoder, needsProgram } from './encoder.js';

/** What one tenant, and one user, may have of the places. */
const TENANT_SHARE = 1 / 2;
const USER_SHARE = 1 / 4;
/** How long a reader may take for what it was given, which is 64 KiB where it is slow: less than half of what is heard. */
const STALL_MS = 30_000;

interface EncodersOptions {
  /** The path of ffmpeg, where it is installed. */
  readonly ffmpeg: string | undefined;
  /** How many programs write audio at once. */
  readonly places: number;
  readonly waitMs?: number;
  readonly stallMs?: number;
}

/** Whose audio is written. */
type EncoderOwner = Pick<PlaceSeeker, 'tenantId' | 'userId'>;

/** The programs that write audio: each has a place, of which one tenant may have half and one user a quarter. */
export class Encoders {
  private readonly places: CallerPlaces;

  constructor(private readonly options: EncodersOptions) {
    const { places, waitMs } = options;
    const perUser = Math.ceil(places * USER_SHARE);
    this.places = new CallerPlaces({
      name: 'encodings of audio',
      places,
      perTenant: Math.ceil(places * TENANT_SHARE),
      perUser,
      waiting: perUser,
      ...(waitMs !== undefined && { waitMs }),
    });
  }

  /** Programs that write audio, and answers that wait for one. */
  get gauges(): readonly Gauge[] {
    return [
      {
        name: 'platform_audio_encoders',
        help: `Places of programs that write audio that are taken, of ${this.options.places} at most.`,
        labels: [],
        read: () => [{ value: this.places.taken }],
      },
      {
        name: 'platform_audio_encoders_waiting',
        help: 'Answers that wait for a program that writes audio.',
        labels: [],
        read: () => [{ value: this.places.waiting }],
      },
    ];
  }

  /**
   * An encoder for one audio; waits a while for its place where a program is needed. To be called before the work begins
   * whose sound is written.
   * @param signal ends the encoder, and gives back its place; to be aborted where its audio is read no further
   * @throws as `CallerPlaces.take` does
   */
  async open(format: AudioFormat, { tenantId, userId }: EncoderOwner, signal: AbortSignal): Promise<Encoder> {
    const { ffmpeg, stallMs = STALL_MS } = this.options;
    const place = needsProgram(format) ? await this.places.take({ tenantId, userId, signal }) : undefined;
    return new Encoder({ format, ffmpeg, stallMs, signal, release: () => place?.[Symbol.dispose]() });
  }
}
