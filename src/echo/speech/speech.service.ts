import { randomBytes } from 'node:crypto';
import { tokenReferenceOf } from '../../access/caller.js';
import type { Caller, CallOwner, TokenReference } from '../../access/caller.js';
import type { Blob } from '../../graph/blob.types.js';
import type { CallContext, Models } from '../../inference/domain.js';
import type { AudioProcessor } from '../../platform/audio/audio-processor.js';
import { AUDIO_MEDIA_TYPES } from '../../platform/audio/encoder.js';
import type { Encoder } from '../../platform/audio/encoder.js';
import { resampled } from '../../platform/audio/resampled.js';
import type { BlobLinks } from '../../platform/blobs/blob-links.js';
import type { BlobReader, ReadableBlob } from '../../platform/blobs/readable-blob.js';
import type { EncodedSpeech } from './encoded-speech.js';
import { SpeechEvents } from './speech-events.js';
import type { OrderedSpeech, SpeechOrders } from './speech-orders.js';
import { readSpeechOrder } from './speech-request.js';
import type { SpeechOrder } from './speech-request.js';
import type { SpeechModelVoices } from './speech.types.js';

/** What the addresses of speech lead to. */
export const SPEECH_BLOB = 'speech';
/** The rate of bare samples, which have no head that could say it: that of OpenAI's `pcm`. */
const PCM_RATE = 24_000;

interface SpeechParts {
  readonly models: Models;
  readonly audio: Pick<AudioProcessor, 'encoders' | 'formats'>;
  readonly links: BlobLinks;
  readonly orders: SpeechOrders;
  /** Whether a token still counts. */
  readonly permitsToken: (token: TokenReference) => Promise<boolean>;
}

/** Speaks texts. */
export class SpeechService {
  constructor(private readonly parts: SpeechParts) {}

  /**
   * Where the speech of a text is fetched, once: it is made while it is sent.
   * @param body of POST /v1/audio/speech
   * @throws BadRequest, PayloadTooLarge, Conflict `capability_not_supported` or `model_not_allowed`, NotFound `model_not_found`
   */
  async order(caller: Caller, body: unknown, context: CallContext): Promise<Blob> {
    const { audio, links, models, orders } = this.parts;
    const order = readSpeechOrder(body, audio.formats);
    if (order.model !== undefined) await models.check(caller, order.model, 'speech');
    const { tenantId, userId, tokenId } = caller;
    const key = randomBytes(16).toString('base64url');
    const owner = { tenantId, userId, tokenId };
    await orders.put(key, { caller: owner, token: tokenReferenceOf(caller), order, context: callContextOf(context) });
    const url = links.urlOf({ kind: SPEECH_BLOB, key, tenantId, userId });
    return { url, mediaType: mediaTypeOf(order), sizeBytes: null, sha256: null, filename: `speech.${order.format}` };
  }

  /** The speech of a text, as events. @throws as `order` does */
  stream(caller: Caller, body: unknown, context: CallContext): SpeechEvents {
    const order = readSpeechOrder(body, this.parts.audio.formats);
    const open = async (signal: AbortSignal): Promise<EncodedSpeech> => {
      const encoder = await this.parts.audio.encoders.open(order.format, caller, signal);
      return this.speak(caller, order, { ...context, signal }, encoder);
    };
    return new SpeechEvents(open, context.signal);
  }

  /** The voices of the models that the caller may use. */
  async voices(caller: CallOwner): Promise<SpeechModelVoices[]> {
    const models = await this.parts.models.voices(caller);
    return models.map(({ model, voices }) => ({
      model,
      voices: voices.map(({ id: voice, name, language }) => ({ voice, name, language })),
    }));
  }

  /** Finds what an address of speech leads to. */
  readonly read: BlobReader = async (user, key) => {
    const ordered = await this.parts.orders.find(key);
    if (ordered?.caller.userId !== user.userId || ordered.caller.tenantId !== user.tenantId) return undefined;
    // Nobody has paid yet: a token that ended meanwhile orders nothing.
    return (await this.parts.permitsToken(ordered.token)) ? this.toFile(key, ordered) : undefined;
  };

  private toFile(key: string, { caller, order, context }: OrderedSpeech): ReadableBlob {
    return {
      mediaType: mediaTypeOf(order),
      filename: `speech.${order.format}`,
      open: async ({ signal }) => {
        const { audio, orders } = this.parts;
        // Whoever finds no place may fetch it later.
        const encoder = await audio.encoders.open(order.format, caller, signal);
        if (!(await orders.begin(key, signal))) return undefined;
        const { encoded } = await this.speak(caller, order, { ...context, signal }, encoder);
        return encoded;
      },
    };
  }

  /** Begins to speak; resolves when the first samples are there. */
  private async speak(
    caller: CallOwner,
    order: SpeechOrder,
    context: CallContext,
    encoder: Encoder,
  ): Promise<EncodedSpeech> {
    const { format, ...call } = order;
    const spoken = await this.parts.models.speak(caller, { area: 'echo', ...call, context });
    const isBare = format === 'pcm' && spoken.sampleRate !== PCM_RATE;
    const samples = isBare ? resampled(spoken.samples, spoken.sampleRate, PCM_RATE) : spoken.samples;
    return { spoken, encoded: encoder.encode(samples, isBare ? PCM_RATE : spoken.sampleRate) };
  }
}

function callContextOf({
  requestId,
  serverRequestId,
  byok,
  timings,
  admission,
}: CallContext): OrderedSpeech['context'] {
  return {
    serverRequestId,
    ...(requestId !== undefined && { requestId }),
    ...(byok && { byok }),
    ...(timings && { timings }),
    ...(admission && { admission }),
  };
}

function mediaTypeOf({ format }: SpeechOrder): string {
  return format === 'pcm' ? `${AUDIO_MEDIA_TYPES.pcm};rate=${PCM_RATE}` : AUDIO_MEDIA_TYPES[format];
}
