import { BadRequest } from '../errors.js';
import { CooperativeYield } from '../platform/async/cooperative-yield.js';
import { CLOSE_CODES } from './socket-session.js';
import type { SocketSession } from './socket-session.js';

/** Messages that wait for their turn, after which no more are read. */
const WAITING_MESSAGES = 8;
/** Those of what has been read already come all the same: as many as 128 KiB have of the smallest that clients of audio send. */
const MOST_WAITING = 2_000;

interface Message {
  readonly data: Buffer;
  readonly isBinary: boolean;
}

/** The messages of a socket, handled one after another: others have their turn between them, however many come at once. */
export class SocketInbox {
  private readonly waiting: Message[] = [];
  private isHandling = false;

  /** @param handle never fails */
  constructor(
    private readonly session: Pick<SocketSession, 'end' | 'ended' | 'hold' | 'whenRead'>,
    private readonly handle: (data: Buffer, isBinary: boolean) => Promise<void>,
  ) {}

  /** Takes a message. A socket that sends far more than is handled is ended. */
  readonly push = (data: Buffer, isBinary: boolean): void => {
    if (this.session.ended) return;
    if (this.waiting.length >= MOST_WAITING) {
      this.waiting.length = 0;
      return this.session.end(CLOSE_CODES.badRequest, new BadRequest('Too many messages came at once.'));
    }
    this.waiting.push({ data, isBinary });
    this.session.hold(this.waiting.length >= WAITING_MESSAGES);
    if (!this.isHandling) void this.handleAll();
  };

  private async handleAll(): Promise<void> {
    this.isHandling = true;
    const cooperation = new CooperativeYield();
    for (let message = this.waiting.shift(); message; message = this.waiting.shift()) {
      // Whoever does not read is not answered either.
      await this.session.whenRead();
      if (this.session.ended) this.waiting.length = 0;
      else await this.handle(message.data, message.isBinary);
      this.session.hold(this.waiting.length >= WAITING_MESSAGES);
      if (cooperation.isDue) await cooperation.yield();
    }
    this.isHandling = false;
  }
}
