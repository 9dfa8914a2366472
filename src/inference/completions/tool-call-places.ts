import { BadUpstream } from '../../errors.js';
import { isJsonObject, textOr } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/** Calls of all choices of a stream: more than what reads them takes. */
const MAX_CALLS = 2_000;
/** Characters of an id, and of a name: both are kept until the choice ends. */
const MAX_TEXT = 1_024;

/** A call that has begun. */
interface PlacedCall {
  readonly place: number;
  id: string;
  /** As far as it was told before its arguments. */
  name: string;
  hasArguments: boolean;
}

/**
 * Gives each call of a tool of a choice an index of its own, by which clients gather its pieces. Some model servers
 * leave the index out, and some give all calls the same: a call begins with an id that is new, or with another name, and goes
 * on under its own id.
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
   * Sets the index and the id of the pieces of a chunk, in place.
   * @returns whether one had another
   * @throws BadUpstream where there are too many calls, or an id or a name is too long
   */
  number(pieces: readonly JsonObject[]): boolean {
    let isChanged = false;
    for (const [position, piece] of pieces.entries()) {
      const { place, id } = this.callOf(piece, position);
      const isOther = textOr(piece.id, id) !== id && piece.id !== '';
      isChanged ||= isOther || piece.index !== place;
      piece.index = place;
      if (isOther) piece.id = id;
    }
    return isChanged;
  }

  private callOf(members: JsonObject, position: number): PlacedCall {
    const index = numberOf(members.index);
    const piece = { id: textOr(members.id, ''), index, position, ...readCalled(members) };
    if (piece.id.length > MAX_TEXT) throw new BadUpstream('The model server gives a call of a tool too long an id.');
    const call = this.findBegun(piece) ?? this.begin(index);
    note(call, piece);
    if (index !== undefined) this.byIndex.set(index, call);
    if (piece.id !== '' && piece.id === call.id) this.byId.set(piece.id, call);
    return call;
  }

  /** The call that a piece goes on with; undefined where it begins one. */
  private findBegun(piece: Piece): PlacedCall | undefined {
    const { id, name, index } = piece;
    const last = index === undefined ? this.calls.at(-1) : this.byIndex.get(index);
    // Some servers count on with every piece of a call: nothing begins without name and id behind what has one.
    if (id === '' && name === '') return last ?? this.calls.findLast((call) => call.id !== '' || call.name !== '');
    const known = last?.id === id ? last : this.byId.get(id);
    // Some servers give all calls of a name the same id: what has another index, and a name, is another call.
    const isKnown = known && (known === last || index === undefined || name === '');
    const begun = isKnown ? known : last;
    return begun && !isAnother(begun, piece) ? begun : undefined;
  }

  private begin(index: number | undefined): PlacedCall {
    this.stream.calls += 1;
    if (this.stream.calls > MAX_CALLS) throw new BadUpstream('The model server calls too many tools.');
    let place = index ?? 0;
    for (let free = 0; this.taken.has(place); free += 1) place = free;
    const call = { place, id: '', name: '', hasArguments: false };
    this.taken.add(place);
    this.calls.push(call);
    return call;
  }
}

interface Piece {
  readonly id: string;
  readonly name: string;
  /** What the tool is called with. */
  readonly given: string;
  readonly index: number | undefined;
  readonly position: number;
}

/** Whether a piece begins another call than the one that it would go on with. */
function isAnother(begun: PlacedCall, { id, name, given, index, position }: Piece): boolean {
  if (name !== '' && begun.hasArguments && name !== begun.name) return true;
  // Some servers give every piece of a call a new id: what has an index, and goes on with arguments, is no other call.
  if (id !== '' && begun.id !== '') return id !== begun.id && (index === undefined || name !== '' || given === '');
  // A name alone may be told again, but where nothing else tells calls apart.
  return name !== '' && index === undefined && (position > 0 || (begun.hasArguments && begun.id === ''));
}

/** Keeps what tells a call from the next one. @throws BadUpstream where its name is too long */
function note(call: PlacedCall, { id, name, given }: Piece): void {
  call.id ||= id;
  if (!call.hasArguments && name !== call.name) call.name += name;
  if (call.name.length > MAX_TEXT) throw new BadUpstream('The model server calls a tool whose name is too long.');
  call.hasArguments ||= given.trim() !== '';
}

/** An index as servers write it; undefined where it is none. */
function numberOf(index: unknown): number | undefined {
  const number = typeof index === 'string' && /^\d{1,6}$/.test(index) ? Number(index) : index;
  return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : undefined;
}

function readCalled(piece: JsonObject): Pick<Piece, 'name' | 'given'> {
  const called = [piece.function, piece.custom].find(isJsonObject) ?? {};
  const given = called.arguments ?? called.input;
  return { name: textOr(called.name, ''), given: isJsonObject(given) ? JSON.stringify(given) : textOr(given, '') };
}
