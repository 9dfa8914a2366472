import { BadUpstream } from '../../errors.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { continuedAfterEnd, indexOf } from '../calls/answer-pieces.js';

/** Members of a call that have the name of the tool, and what it is called with. */
const CALLED = ['function', 'custom'];
/** The place of a call that is no entry of a list: of the interface from before there were several. */
const FUNCTION_CALL = 'function_call';
/** Characters of a name, and of an id: both are kept until the choice ends. */
const MAX_NAME = 1_024;
/** Calls of one choice. */
const MAX_CALLS = 1_000;
/** Pieces of a call whose arguments have not begun, and UTF-16 units of the JSON of these. */
const [MAX_PIECES, MAX_HELD] = [64, 32 * 1024];

type Place = number | typeof FUNCTION_CALL;

/** A call at a place, or what goes on with one. */
interface NamedCall {
  readonly place: Place;
  readonly call: JsonObject;
}

/** A call that is held back, and of how many pieces it is made. */
interface HeldCall extends NamedCall {
  readonly pieces: number;
}

/**
 * Holds the first chunks of each tool call of one choice back until the name of the tool is complete. Some clients take
 * the name from the first chunk that has one, others from the last, so it goes out in one piece. A name is complete when
 * the arguments of its call begin, when another call begins, or when the choice ends. Each call has an index of its own
 * (`ToolCallPlaces`).
 */
export class CalledTools {
  private held: HeldCall | undefined;
  private readonly taken = new Set<Place>();
  /** By their place: the calls whose names have gone out. */
  private readonly sent = new Map<Place, Pick<JsonObject, 'id' | 'name'>>();

  /** How many calls the choice has. */
  get count(): number {
    return this.taken.size;
  }

  get isHolding(): boolean {
    return this.held !== undefined;
  }

  /**
   * Holds calls back in a delta, and puts into it those that were. The names that are in it then are whole.
   * @param isEnd whether the choice ends with it
   * @throws BadUpstream where a name goes on behind its end, or a call or all of them are too large
   */
  gather(delta: JsonObject, isEnd: boolean): void {
    const { tool_calls: list, function_call: single } = delta;
    const named: NamedCall[] = [];
    const calls: unknown[] = [];
    if (isJsonObject(single)) {
      delete delta.function_call;
      named.push(...this.read(FUNCTION_CALL, { function: single }));
    }
    for (const [position, call] of Array.isArray(list) ? list.entries() : []) {
      if (isJsonObject(call)) named.push(...this.read(indexOf(call, position), call));
      else calls.push(call);
    }
    if (isEnd) named.push(...this.release());
    for (const { place, call } of named) {
      this.note(place, call);
      if (place === FUNCTION_CALL) delta.function_call = call.function;
      else calls.push(call);
    }
    if (calls.length > 0) delta.tool_calls = calls;
    else if (Array.isArray(list)) delete delta.tool_calls;
  }

  /** What goes out when another piece of a call has come. */
  private read(place: Place, piece: JsonObject): NamedCall[] {
    this.taken.add(place);
    if (this.taken.size > MAX_CALLS) throw new BadUpstream('The model server calls too many tools.');
    const released = this.held?.place === place ? [] : this.release();
    const { held } = this;
    this.held = undefined;
    const call = held ? joined(held.call, piece) : piece;
    const name = nameOf(call);
    if (name.length > MAX_NAME) throw new BadUpstream('The model server calls a tool whose name is too long.');
    if (idOf(call).length > MAX_NAME) throw new BadUpstream('The model server gives a call of a tool too long an id.');
    if (name === '' || hasArguments(call)) return [...released, { place, call }];
    const pieces = (held?.pieces ?? 0) + 1;
    const isTooLarge = pieces > MAX_PIECES || JSON.stringify(call).length > MAX_HELD;
    if (isTooLarge) throw new BadUpstream('The model server begins a call of a tool that is too large.');
    this.held = { place, call: place === FUNCTION_CALL ? call : { ...call, index: place }, pieces };
    return released;
  }

  private release(): NamedCall[] {
    const { held } = this;
    this.held = undefined;
    return held ? [held] : [];
  }

  /** Keeps the name that goes out: no piece may follow it, but it may be told again. */
  private note(place: Place, call: JsonObject): void {
    const name = nameOf(call);
    if (name === '') return;
    const before = this.sent.get(place);
    if (before && before.name !== name) throw continuedAfterEnd();
    this.sent.set(place, { id: idOf(call), name });
  }
}

/** The objects of a delta that have the names of tools. */
export function calledIn({ tool_calls: list, function_call: single }: JsonObject): JsonObject[] {
  const calls = Array.isArray(list) ? list.filter(isJsonObject).map(calledOf) : [];
  return [...calls, single].filter(isJsonObject);
}

function calledOf(call: JsonObject): JsonObject | undefined {
  return CALLED.map((member) => call[member]).find(isJsonObject);
}

function nameOf(call: JsonObject): string {
  const name = calledOf(call)?.name;
  return typeof name === 'string' ? name : '';
}

/** Only texts tell calls apart. */
function idOf({ id }: JsonObject): string {
  return typeof id === 'string' ? id : '';
}

/** Whether a call goes on with what the tool is called with. */
function hasArguments(call: JsonObject): boolean {
  const { arguments: given, input } = calledOf(call) ?? {};
  return isSaid(given) || isSaid(input);
}

/** A call with another piece of its name, or of what else servers tell of it. */
function joined(call: JsonObject, piece: JsonObject): JsonObject {
  const both = completed(call, piece);
  for (const member of CALLED) {
    const [begun, more] = [call[member], piece[member]];
    if (isJsonObject(begun) && isJsonObject(more))
      both[member] = { ...completed(begun, more), ...nameFrom(begun, more) };
  }
  return both;
}

/** The name of two pieces; one that is told again is the same. */
function nameFrom({ name: begun }: JsonObject, { name: more }: JsonObject): JsonObject {
  if (typeof begun !== 'string' || typeof more !== 'string') return {};
  return { name: begun === more ? begun : begun + more };
}

/** An object with what another has beside it. */
function completed(object: JsonObject, other: JsonObject): JsonObject {
  return { ...other, ...Object.fromEntries(Object.entries(object).filter(([, value]) => isSaid(value))) };
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
