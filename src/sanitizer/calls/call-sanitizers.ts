import type { CallOwner } from '../../access/caller.js';
import type { ModelCall, TextTransform } from '../../inference/domain.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { EffectiveDirection } from '../policies/effective-policies.js';
import type { SanitizerPolicies } from '../policies/sanitizer-policies.js';
import { CallSanitizer } from './call-sanitizer.js';
import { Pseudonyms } from '../pseudonyms.js';
import { ScanPace } from '../scan-pace.js';
import type { SanitizerMetrics } from './sanitizer-metrics.js';

/** Under what name pseudonyms are kept with their conversation. */
const MEMORY = 'pseudonyms';

/** Makes what applies the policies to a call: to every call of a model, whichever domain makes it. */
export class CallSanitizers {
  constructor(
    private readonly policies: Pick<SanitizerPolicies, 'effectiveFor'>,
    private readonly metrics: SanitizerMetrics,
  ) {}

  /**
   * The sanitizer of a call; undefined where no policy applies to it, and nothing is left to be restored.
   * @throws Unavailable where the policies are not known
   */
  readonly create = (caller: CallOwner, call: ModelCall): TextTransform | undefined => {
    const policy = this.policies.effectiveFor(caller.tenantId);
    const earlier = call.memory?.recall(MEMORY);
    if (!policy && earlier === undefined) return undefined;
    const pseudonyms = new Pseudonyms(textsIn(call.request), earlier);
    call.memory?.keep(MEMORY, () => pseudonyms.toJSON());
    return new CallSanitizer({
      policy: policy ?? { input: undefined, output: undefined, pace: new ScanPace() },
      pseudonyms,
      metrics: this.metrics,
      signal: call.context.signal,
      givesNumbers: earlier !== undefined || pseudonymizes(policy?.input) || pseudonymizes(policy?.output),
      isRemembered: call.memory !== undefined,
      answersAreJson: asksForJson(call.request),
    });
  };
}

function pseudonymizes(direction: EffectiveDirection | undefined): boolean {
  return direction?.rules.some(({ action }) => action === 'pseudonymize') ?? false;
}

/** All texts of a value, the names of members included. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    yield value;
  } else if (Array.isArray(value)) {
    for (const entry of value) yield* textsIn(entry);
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      yield name;
      yield* textsIn(member);
    }
  }
}

/** Whether the answer is to be JSON. */
function asksForJson({ response_format: chatFormat, text }: JsonObject): boolean {
  const format = isJsonObject(chatFormat) ? chatFormat : isJsonObject(text) ? text.format : undefined;
  return isJsonObject(format) && format.type !== 'text';
}
