import type { Caller } from '../../access/caller.js';
import type { OpenCall } from '../../metering/metering.types.js';
import { boundedRequest } from './answer-bounds.js';
import type { Operation } from '../backends/backend.js';
import type { RoutePlan } from '../backends/routing/route-plan.js';
import { buildCallStart } from './call-start.js';
import type { CallSizing, CallContext, CallRecorder } from './call-start.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { charged } from './usage-estimate.js';

/** Larger bounds mean nothing more, and not every server can read them. */
const LARGEST_BOUND = 2 ** 31 - 1;

/** What a call is made of, before its record is begun. */
interface UnreservedCall extends CallSizing {
  readonly operation: Operation;
  /** With all of its input. */
  readonly request: JsonObject;
  readonly plan: RoutePlan;
  readonly context: CallContext;
}

/** A call that reserves what it may cost at most, and sends nothing that could cost more. */
export class ReservedCall {
  /** What may be sent of the request, once the record is begun. */
  body: JsonObject;

  constructor(private readonly call: UnreservedCall) {
    this.body = call.request;
  }

  /**
   * Begins its record. Where its caller's tokens are limited, the body then has the bound that is reserved.
   * @throws as the recorder does
   */
  async begin(recorder: CallRecorder, caller: Caller): Promise<OpenCall> {
    const { operation, request, plan, context } = this.call;
    const start = buildCallStart(operation, request, plan.expected, context, this.call);
    const open = await recorder.begin(caller, start);
    const bound = Math.min(LARGEST_BOUND, Math.ceil(start.longestAnswer));
    if (open.isLimited) this.body = boundedRequest(operation, request, bound);
    return { ...plan.attachRecord(open), toCharge: (estimate) => charged(open, estimate) };
  }
}
