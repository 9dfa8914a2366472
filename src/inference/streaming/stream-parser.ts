import type { PlatformError } from '../../errors.js';
import type { MeteredUsage, Outcome } from '../../metering/metering.types.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/**
 * Reads the events of one streamed answer, block by block, as bytes or as objects. It takes out what concerns the
 * platform; what comes after the end is not read.
 */
export interface StreamParser {
  /** Set when the answer has ended: `whole`, or what went wrong. */
  readonly ending: 'whole' | PlatformError | undefined;
  /** What the last event of a whole answer says of it; absent: it is completed. */
  readonly outcome?: Outcome;
  /** What the upstream said of its usage so far. */
  readonly usage: MeteredUsage | null;
  /** Whether an answer is whole though its upstream sends no end mark; absent where one is always sent. */
  readonly isAnswered?: boolean;
  /** What the client sees of a block of whole frames: the block itself where nothing in it concerns the platform. */
  relay(block: Buffer): Buffer;
  /** The same as objects. */
  parse(block: Buffer): JsonObject[];
}
