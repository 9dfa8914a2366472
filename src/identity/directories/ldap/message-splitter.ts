import { nonsense, readHead } from './ber.js';
import { DirectoryFailure } from './directory-failure.js';

const SEQUENCE = 0x30;
/** Pieces are joined when there are so many, so that single bytes cost little. */
const MAX_PIECES = 1_024;

/** Cuts what a directory sends into LDAP messages. */
export class MessageSplitter {
  private pieces: Buffer[] = [];
  private byteCount = 0;
  /** Bytes that must be there before it is worth looking again. */
  private needed = 2;

  /** Whether there is nothing of a message that has yet to come whole. */
  get isEmpty(): boolean {
    return this.byteCount === 0;
  }

  /**
   * Takes bytes.
   * @param maxBytes of a message
   * @returns the content of each message that is whole
   * @throws DirectoryFailure `protocol`
   */
  split(bytes: Buffer, maxBytes: number): Buffer[] {
    this.pieces.push(bytes);
    this.byteCount += bytes.length;
    if (this.pieces.length >= MAX_PIECES) this.join();
    if (this.byteCount < this.needed) return [];
    const all = this.join();
    const messages: Buffer[] = [];
    let offset = 0;
    for (let head = readHead(all, 0); ; head = readHead(all, offset)) {
      if (head && head.tag !== SEQUENCE) throw nonsense();
      if (head && head.end - offset > maxBytes) throw tooMuch();
      if (!head || head.end > all.length) {
        this.needed = head ? head.end - offset : all.length - offset + 1;
        break;
      }
      messages.push(all.subarray(head.start, head.end));
      offset = head.end;
    }
    this.pieces = offset === all.length ? [] : [all.subarray(offset)];
    this.byteCount = all.length - offset;
    return messages;
  }

  private join(): Buffer {
    const all = this.pieces.length === 1 ? (this.pieces[0] as Buffer) : Buffer.concat(this.pieces, this.byteCount);
    this.pieces = [all];
    return all;
  }
}

/** The failure of a directory that sends more than anybody wants to read. */
export function tooMuch(): DirectoryFailure {
  return new DirectoryFailure('protocol', 'The directory sends too much.');
}
