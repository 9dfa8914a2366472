import type { Logger } from 'pino';
import type { ByokKey, CallOwner } from '../../access/caller.js';
import type { MeteredUsage } from '../../metering/metering.types.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { Operation } from '../backends/backend.js';
import type { RoutePlanner } from '../backends/routing/route-planner.js';
import { CHAT } from '../completions/chat.operation.js';
import { EMBEDDINGS } from '../embeddings/embedding-exchange.js';
import { RERANK } from '../rerank/rerank-exchange.js';
import type {
  ModelVoices,
  SpeechEngine,
  SpeakCall,
  SpokenAudio,
  TranscribeCall,
  ChargedTranscript,
  TranscribeLimits,
} from '../speech/speech.types.js';
import { fitsCall } from '../speech/speech-models.js';
import type { SpeechModels } from '../speech/speech-models.js';
import { asHeard } from '../speech/heard-texts.js';
import { SpokenText } from '../speech/spoken-text.js';
import { toTranscribedAudio } from '../speech/transcript-answer.js';
import { transcriptionOf, transcriptionRequest } from '../speech/transcription-exchange.js';
import { toEngineTranslations, translationOf, translationRequest } from '../translation/translation-exchange.js';
import type { TranslationModels } from '../translation/translation-models.js';
import type { EngineTranslation } from '../translation/engine.types.js';
import type { TranslateCall, TranslationModel } from '../translation/translation.types.js';
import { AnswerStream } from '../streaming/answer-stream.js';
import { MeteredStream } from '../streaming/metered-stream.js';
import { conversationPrefix } from './conversation-prefix.js';
import { MeteredCall } from './metered-call.js';
import type { CallRecorder, Exchange, ExchangeType, ModelCall, StreamExchange } from './model-call.js';
import { transformRequest } from './request-texts.js';
import { composeTransforms, transformError } from './text-transform.js';
import type { TextTransform } from './text-transform.js';
import { transformAnswer } from './whole-answer-texts.js';
import { estimateAnswer, toMeteredUsage } from './usage.js';

/** They have no beginning in common that a server could keep. */
const WITHOUT_CONVERSATION: ReadonlySet<Operation> = new Set([
  'embeddings',
  'rerank',
  'translate',
  'transcribe',
  'speech',
]);

/** Makes the transform of one call; undefined where the call needs none. */
export type TransformFactory = (caller: CallOwner, call: ModelCall) => TextTransform | undefined;

interface ModelsParts {
  readonly planner: RoutePlanner;
  readonly recorder: CallRecorder;
  readonly speech: SpeechModels;
  readonly translation: TranslationModels;
  readonly log: Logger;
}

interface PreparedCall<E> {
  readonly call: MeteredCall;
  readonly exchange: E;
  readonly transform: TextTransform | undefined;
}

/**
 * The port to models: every call of a model goes through it, whichever domain makes it. It alone checks the policy, plans
 * the route, begins the record, asks, and settles.
 */
export class Models {
  private readonly factories: TransformFactory[] = [];

  constructor(private readonly parts: ModelsParts) {}

  /** From now on the factory makes a transform for every call. */
  use(factory: TransformFactory): void {
    this.factories.push(factory);
  }

  /**
   * Answers as one JSON object, as soon as its record is durable.
   * @param type of the operation; chat by default
   * @throws NotFound `model_not_found`, Conflict `model_not_allowed` or `capability_not_supported`, RateLimited,
   * QuotaExceeded, BadUpstream, UpstreamTimeout, Unavailable, the upstream's own refusal, or the reason of the signal
   */
  async complete(caller: CallOwner, modelCall: ModelCall, type: ExchangeType<Exchange> = CHAT): Promise<JsonObject> {
    const { call, exchange, transform } = await this.prepare(caller, modelCall, type);
    const { signal } = modelCall.context;
    const body = await call.begin();
    let answer: JsonObject;
    try {
      // Who left while the record was begun has used nothing.
      signal.throwIfAborted();
      answer = await exchange.ask(body, call, signal);
    } catch (error) {
      await this.settleUnanswered(call, exchange, signal.aborted);
      throw await transformError(error, transform);
    }
    const usage = await call.settle({
      outcome: exchange.outcomeOf?.(answer) ?? 'completed',
      reportedUsage: () => (exchange.reportedUsage ? exchange.reportedUsage(answer) : toMeteredUsage(answer.usage)),
      estimate: () => estimateOf(exchange, answer),
      audioMilliseconds: exchange.heardMilliseconds?.(answer) ?? exchange.sizing?.audio?.promptMilliseconds,
    });
    // It is paid for: whoever has left may still ask for it by its `Idempotency-Key`.
    if (transform) await (exchange.transformAnswer?.(answer, transform) ?? transformAnswer(answer, transform));
    return exchange.finish(answer, call.id, usage);
  }

  /**
   * Answers as a stream. What is wrong with the request is told before the stream exists; what goes wrong upstream, by
   * its first `next()` or later.
   * @param type of the operation
   * @throws as `complete` does until a model server is asked
   */
  async stream<T>(
    caller: CallOwner,
    modelCall: ModelCall,
    type: ExchangeType<StreamExchange<T>>,
  ): Promise<AnswerStream<T>> {
    const { call, exchange, transform } = await this.prepare(caller, modelCall, type);
    const codec = exchange.createCodec();
    const { signal } = modelCall.context;
    const upstream = new MeteredStream({ call, exchange, codec, signal, log: this.parts.log });
    return new AnswerStream(upstream, codec, transform, signal);
  }

  /** The vectors of the request's input, in their order, or none of them; as `complete` answers them. */
  embed(caller: CallOwner, modelCall: ModelCall): Promise<JsonObject> {
    return this.complete(caller, modelCall, EMBEDDINGS);
  }

  /** How well each of the `documents` fits the `query`, the best first; as `complete` answers it. */
  rerank(caller: CallOwner, modelCall: ModelCall): Promise<JsonObject> {
    return this.complete(caller, modelCall, RERANK);
  }

  /**
   * What is said in a recording.
   * @throws as `complete` does; Conflict `capability_not_supported` where no model can, or the one that is named cannot
   */
  async transcribe(caller: CallOwner, call: TranscribeCall): Promise<ChargedTranscript> {
    const { area, context } = call;
    const need = { operation: 'transcribe', byok: context.byok, fits: fitsCall(call) } as const;
    const model = call.model ?? (await this.parts.speech.choose(caller, need)).model.id;
    const request = transcriptionRequest(call, model);
    const answer = await this.complete(caller, { area, request, context }, transcriptionOf(call));
    return { ...toTranscribedAudio(answer, model), chargedSeconds: Number(answer.charged_seconds) };
  }

  /** What the engine takes and gives that `transcribe` would ask. @throws as it does, and as `check` where a model is named */
  async transcribeLimits(caller: CallOwner, model?: string): Promise<TranscribeLimits> {
    if (model !== undefined) await this.check(caller, model, 'transcribe');
    return this.parts.speech.limits(caller, model);
  }

  /**
   * A text as sound, piece by piece; resolves when the first samples are there.
   * @throws as `complete` does; Conflict `capability_not_supported` where no model speaks, or the one that is named does not
   */
  async speak(caller: CallOwner, call: SpeakCall): Promise<SpokenAudio> {
    const { area, context, input, extra } = call;
    const need = { operation: 'speech', byok: context.byok } as const;
    const model = call.model ?? (await this.parts.speech.choose(caller, need)).model.id;
    const transform = this.transformOf(caller, { area, request: { ...extra, model, input }, context });
    const request = { ...extra, input, ...(call.voice !== undefined && { voice: call.voice }) };
    const read = transform ? await transformRequest(request, asHeard(transform), context.signal) : request;
    transform?.endPrompt?.();
    const { input: said, voice, ...fields } = read;
    const { planner, recorder } = this.parts;
    const spoken = { ...call, extra: fields, voice: typeof voice === 'string' ? voice : undefined };
    const parts = { caller, call: spoken, model, planner, recorder };
    return new SpokenText(String(said), parts).open();
  }

  /** The voices of every model that speaks, and that the caller's tenant may use. */
  voices(caller: CallOwner): Promise<ModelVoices[]> {
    return this.parts.speech.voices(caller);
  }

  /** The models that may translate, in the order in which they are asked (`TranslationModels.list`). */
  translationModels(caller: CallOwner, byok?: ByokKey): Promise<TranslationModel[]> {
    return this.parts.translation.list(caller, byok);
  }

  /**
   * Texts as a translation engine has them in another language, and what the call has used. The texts are sent as they
   * are: whoever puts them together has applied `transformOf`.
   * @throws as `complete` does
   */
  async translate(
    caller: CallOwner,
    call: TranslateCall,
  ): Promise<{ readonly translations: readonly EngineTranslation[]; readonly usage: MeteredUsage }> {
    const modelCall = { area: call.area, request: translationRequest(call), context: call.context, transforms: null };
    const answer = await this.complete(caller, modelCall, translationOf(call));
    return { translations: toEngineTranslations(answer), usage: answer.usage as MeteredUsage };
  }

  /** The models that transcribe or speak, and that the caller's tenant may use. */
  speechEngines(caller: CallOwner): Promise<SpeechEngine[]> {
    return this.parts.speech.engines(caller);
  }

  /**
   * Checks that an operation of a model could be called.
   * @throws NotFound `model_not_found`; Conflict `model_not_allowed` or `capability_not_supported`; BadUpstream
   */
  async check(caller: CallOwner, model: string, operation: Operation): Promise<void> {
    await this.parts.planner.plan(caller, { model, operation });
  }

  private async prepare<E extends Exchange>(
    caller: CallOwner,
    modelCall: ModelCall,
    type: ExchangeType<E>,
  ): Promise<PreparedCall<E>> {
    type.check?.(modelCall.request);
    const { operation, instance } = type;
    const { context, area } = modelCall;
    const transform = this.transformOf(caller, modelCall);
    const request = transform
      ? await transformRequest(modelCall.request, transform, context.signal)
      : modelCall.request;
    const changesAnswer = transform?.endPrompt?.() ?? true;
    const plan = await this.parts.planner.plan(caller, {
      model: request.model as string,
      operation,
      affinityKey: WITHOUT_CONVERSATION.has(operation) ? undefined : () => conversationPrefix(request),
      instance,
      byok: context.byok,
    });
    const exchange = type.create(request, plan.expected);
    const { request: sent, sizing } = exchange;
    const { recorder } = this.parts;
    const call = new MeteredCall({ caller, area, operation, request: sent, sizing, context, plan, recorder });
    return { call, exchange, transform: changesAnswer ? transform : undefined };
  }

  /**
   * What changes the texts of a call. Whoever changes texts by it before they become a call, and the answers after it,
   * makes that call with `transforms: null`.
   * @returns undefined where nothing does
   */
  transformOf(caller: CallOwner, call: ModelCall): TextTransform | undefined {
    if (call.transforms === null) return undefined;
    if (this.factories.length === 0 && !call.transforms) return undefined;
    const made = this.factories.map((factory) => factory(caller, call)).filter((transform) => transform !== undefined);
    return composeTransforms([...made, ...(call.transforms ?? [])]);
  }

  /** A caller who left has used the prompt; one whom the upstream failed, nothing. Never fails. */
  private async settleUnanswered(call: MeteredCall, exchange: Exchange, hasLeft: boolean): Promise<void> {
    const audioMilliseconds = exchange.sizing?.audio?.promptMilliseconds;
    try {
      if (hasLeft)
        await call.settle({ outcome: 'cancelled', estimate: () => estimateOf(exchange, {}), audioMilliseconds });
      else await call.settle({ outcome: 'failed' });
    } catch (error) {
      this.parts.log.warn({ err: error }, 'the end of a call is not recorded yet');
    }
  }
}

function estimateOf(exchange: Exchange, answer: JsonObject): Promise<MeteredUsage> {
  return exchange.estimate?.(answer) ?? estimateAnswer(exchange.request, answer);
}
