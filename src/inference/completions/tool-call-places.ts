import { BadUpstream } from '../../errors.js';
import { isJsonObject, textOr } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/** Calls of all choices of a stream: more than what reads them takes. */
const MAX_CALLS = 2_000;
/** Characters of an id: it is kept until the choice ends. */
const MAX_ID = 1_024;

/** A call that has begun. */
interface PlacedCall {
  readonly place: number;
  id: string;
}

/**
 * Gives each call of a tool of a choice an index of its own, by which clients gather its pieces. Some model servers
 * leave the index out, and some give all calls the same: a call begins with an id that is new.
 */
export class ToolCallPlaces {
  private readonly calls: PlacedCall[] = [];
  private readonly taken = new Set<number>();
  /** By the index that the server has for it: the last call there. */
  private readonly byIndex = new Map<number, PlacedCall>();
  private readonly byId = new Map<string, PlacedCall>();

  /** @param stream how many calls have begun in all choices of the stream */
  constructor(private readonly stream = { calls: 0 }) {}

  /**
   * Sets the index of the pieces of a chunk, in place.
   * @returns whether one had another
   * @throws BadUpstream where there are too many calls, or an id is too long
   */
  number(pieces: readonly JsonObject[]): boolean {
    let isChanged = false;
    for (const [position, piece] of pieces.entries()) {
      const { place } = this.callOf(piece, position);
      isChanged ||= piece.index !== place;
      piece.index = place;
    }
    return isChanged;
  }

  private callOf(piece: JsonObject, position: number): PlacedCall {
    const index = numberOf(piece.index);
    const id = textOr(piece.id, '');
    if (id.length > MAX_ID) throw new BadUpstream('The model server gives a call of a tool too long an id.');
    const { name, hasArguments } = readCalled(piece);
    const last = index === undefined ? this.calls.at(-1) : this.byIndex.get(index);
    const goesOn = last && !isAnother(last, { id, name, hasArguments, index, position });
    const call = this.byId.get(id) ?? (goesOn ? last : this.begin(index));
    call.id ||= id;
    if (index !== undefined) this.byIndex.set(index, call);
    if (id !== '' && id === call.id) this.byId.set(id, call);
    return call;
  }

  private begin(index: number | undefined): PlacedCall {
    this.stream.calls += 1;
    if (this.stream.calls > MAX_CALLS) throw new BadUpstream('The model server calls too many tools.');
    let place = index ?? 0;
    for (let free = 0; this.taken.has(place); free += 1) place = free;
    const call = { place, id: '' };
    this.taken.add(place);
    this.calls.push(call);
    return call;
  }
}

interface Piece {
  readonly id: string;
  readonly name: string;
  readonly hasArguments: boolean;
  readonly index: number | undefined;
  readonly position: number;
}

/** Whether a piece begins another call than the last one in its place. */
function isAnother(begun: PlacedCall, { id, name, hasArguments, index, position }: Piece): boolean {
  // Some servers give every piece of a call a new id: what has an index, and goes on with arguments, is no other call.
  if (id !== '' && begun.id !== '') return index === undefined || name !== '' || !hasArguments;
  return name !== '' && index === undefined && position > 0;
}

/** An index as servers write it; undefined where it is none. */
function numberOf(index: unknown): number | undefined {
  const number = typeof index === 'string' && /^\d{1,6}$/.test(index) ? Number(index) : index;
  return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : undefined;
}

function readCalled(piece: JsonObject): Pick<Piece, 'name' | 'hasArguments'> {
  const called = [piece.function, piece.custom].find(isJsonObject) ?? {};
  return {
    name: textOr(called.name, ''),
    hasArguments: textOr(called.arguments ?? called.input, '') !== '',
  };
}
