import { skipSpace, trimEnd } from './atoms.js';
import type { Atom } from './atoms.js';
import type { Chunk, ChunkSizes } from './chunk.types.js';
import { cutCharacter, findCut } from './cut-text.js';
import { overlapStartIn } from './overlap.js';
import type { TokenEstimate } from './token-estimate.js';

/** Where a chunk is, and what it says. */
export type ChunkPlace = Pick<Chunk, 'text' | 'start' | 'end' | 'overlapStart'>;

interface Options extends ChunkSizes {
  countTokens(text: string): number | Promise<number>;
}

/** What stands before what only this chunk has. */
interface Lead {
  readonly header: string;
  readonly overlapStart: number;
}

/** Chunks that are kept back: a chunk is cut when so many times its length is known, or all that comes. */
const KNOWN_CHUNKS = 4;
/** A chunk with less than this part of the target is made longer, if it can be. */
const TOO_SMALL = 0.6;
/** The rest of a section is not left alone where the chunk before it grows by less than this part. */
const SMALL_REST = 0.25;

/** Cuts one section of a page after another into chunks, as its atoms come. */
export class SectionCutter {
  /** What is not cut yet: the first may have been cut in part, up to `at`. */
  private atoms: Atom[] = [];
  private at = 0;
  private lastLevel = 0;
  private hasBody = false;
  /** Since where there have been paragraphs only, in the chunk before; undefined where it ended otherwise. */
  private proseStart: number | undefined;

  constructor(
    private readonly text: string,
    private readonly options: Options,
    private readonly estimate: TokenEstimate,
  ) {}

  /** Says whether an atom begins another section than those that were added since the last one was cut. */
  isOtherSection({ kind, level }: Atom): boolean {
    return kind === 'heading' && (this.hasBody || (this.lastLevel > 0 && level <= this.lastLevel));
  }

  /** Adds the next atom of the section. */
  add(atom: Atom): void {
    if (this.atoms.length === 0) this.at = atom.start;
    if (atom.kind === 'heading') this.lastLevel = atom.level;
    else this.hasBody = true;
    this.atoms.push(atom);
  }

  /** Cuts off chunks as far as it is clear where they end. @param isFinal whether the section ends here */
  async *cut(isFinal: boolean): AsyncGenerator<ChunkPlace> {
    let first = 0;
    while (first < this.atoms.length && (isFinal || this.isClear)) {
      const chunk = await this.next(first, isFinal);
      first = this.advance(first, chunk);
      yield chunk;
    }
    if (first > 0) this.atoms.splice(0, first);
    if (!isFinal) return;
    this.lastLevel = 0;
    this.hasBody = false;
    this.proseStart = undefined;
  }

  /** Whether so much is known of the section that a chunk can be cut off. */
  get isClear(): boolean {
    return (this.atoms.at(-1)?.end ?? 0) - this.at > KNOWN_CHUNKS * this.estimate.toUnits(this.options.max);
  }

  private async next(first: number, isFinal: boolean): Promise<ChunkPlace> {
    const { target, max } = this.options;
    let lead = this.leadOf(first);
    let wanted = this.estimate.toUnits(target);
    let most = this.estimate.toUnits(max);
    let best: ChunkPlace | undefined;
    for (let counts = 1; ; counts += 1) {
      const chunk = this.toPlace(first, lead, wanted, most, isFinal);
      if (best && chunk.end <= best.end) return best;
      const tokens = await this.options.countTokens(chunk.text);
      if (!(tokens >= 0)) throw new TypeError('countTokens must answer a number of at least 0.');
      this.estimate.learn(chunk.text.length, tokens);
      if (tokens <= max) {
        best = chunk;
        if (tokens >= target * TOO_SMALL || counts > 2) return best;
        const grown = chunk.text.length * (target / Math.max(tokens, 1));
        most = Math.max(1, Math.floor(Math.min(grown * (max / target), 4 * most)));
        wanted = Math.max(1, Math.floor(Math.min(grown, most)));
      } else {
        if (best) return best;
        // A character that is too long alone is a chunk all the same.
        if (most === 1) return chunk;
        if (counts > 2) lead = { header: '', overlapStart: this.at };
        const length = chunk.end - chunk.start + leadLength(lead, this.at);
        most = Math.max(1, Math.floor(Math.min(length, most) * Math.min(0.9 * (max / tokens), 0.75)));
        wanted = Math.max(1, Math.min(wanted, Math.floor(most * (target / max))));
      }
    }
  }

  private toPlace(first: number, lead: Lead, wanted: number, most: number, isFinal: boolean): ChunkPlace {
    const used = leadLength(lead, this.at);
    const end = this.endOf(first, Math.max(1, wanted - used), Math.max(1, most - used), isFinal);
    const text = lead.header + this.text.slice(lead.overlapStart, end);
    return { text, start: this.at, end, overlapStart: lead.overlapStart };
  }

  /** Where a chunk ends that begins here: at the end of an atom, if it can be; never of a heading that has something below. */
  private endOf(first: number, wanted: number, most: number, isFinal: boolean): number {
    const { at, atoms } = this;
    const last = atoms.at(-1)?.end ?? at;
    if (isFinal && last - at <= Math.min(wanted * (1 + SMALL_REST), most)) return last;
    let end = -1;
    let index = first;
    for (let atom = atoms[index]; atom && atom.end - at <= wanted; atom = atoms[++index]) {
      if (atom.kind !== 'heading') end = atom.end;
    }
    if (end - at >= wanted * SMALL_REST) return end;
    const tooLong = atoms[index];
    if (!tooLong) return last;
    if (tooLong.kind !== 'heading' && tooLong.end - at <= most) return tooLong.end;
    const isFirst = index === first;
    const before = tooLong.start - at;
    // Rows are whole where they can be; a heading begins something new.
    const isWhole =
      tooLong.kind === 'heading' || (tooLong.kind === 'row' && (end > at || tooLong.end - tooLong.start <= most));
    if (!isFirst && (isWhole || before >= wanted)) return end > at ? end : trimEnd(this.text, at, tooLong.start);
    if (isFirst && tooLong.end - at <= most) return tooLong.end;
    return this.cutInside(tooLong, wanted, most);
  }

  /** Where an atom is cut that is longer than the chunk has room, after what stands before it. */
  private cutInside(atom: Atom, wanted: number, most: number): number {
    const from = Math.max(this.at, atom.start);
    const before = from - this.at;
    const [shortest, longest] = [Math.max(1, wanted - before), Math.max(1, most - before)];
    const window = this.text.slice(from, Math.min(from + longest + 1, atom.end));
    const cut = findCut(window, shortest, longest, atom.kind === 'prose');
    if (cut === undefined && before > 0) return trimEnd(this.text, this.at, from);
    return trimEnd(this.text, from, from + (cut ?? cutCharacter(window, shortest)));
  }

  private leadOf(first: number): Lead {
    const { at, text, options, estimate } = this;
    const atom = this.atoms[first];
    const header = atom?.kind === 'row' ? atom.header : undefined;
    if (header && header.end - header.start <= estimate.toUnits(options.max) * SMALL_REST) {
      return { header: `${text.slice(header.start, header.end)}\n`, overlapStart: at };
    }
    if (atom?.kind !== 'prose' || this.proseStart === undefined || options.overlap === 0) {
      return { header: '', overlapStart: at };
    }
    return { header: '', overlapStart: overlapStartIn(text, this.proseStart, at, estimate.toUnits(options.overlap)) };
  }

  /** Goes behind a chunk. @returns the first atom that is not wholly in it */
  private advance(first: number, { start, end }: ChunkPlace): number {
    let index = first;
    this.proseStart = undefined;
    for (let atom = this.atoms[index]; atom && atom.start < end; atom = this.atoms[++index]) {
      this.proseStart = atom.kind === 'prose' ? (this.proseStart ?? Math.max(atom.start, start)) : undefined;
      if (atom.end > end) {
        this.at = skipSpace(this.text, end, atom.end);
        return index;
      }
    }
    this.at = this.atoms[index]?.start ?? end;
    return index;
  }
}

function leadLength({ header, overlapStart }: Lead, at: number): number {
  return header.length + at - overlapStart;
}
