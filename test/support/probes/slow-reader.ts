import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { untilStill } from './until-still.js';

const PART = 256 * 1024;

interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/** A client that reads no more than it is asked to, and what the network takes of its server meanwhile. */
export class SlowReader {
  /** What was read. */
  bytes = 0;
  private taken = 0;

  /**
   * @param socket of the client, paused
   * @param served the server's side of the connection, below TLS
   */
  constructor(
    private readonly socket: Socket,
    private readonly served: Socket,
  ) {}

  /** Reads so many bytes, or a little more. */
  private async read(count: number): Promise<void> {
    const until = this.bytes + count;
    const enough = Promise.withResolvers<void>();
    const take = (chunk: Buffer): void => {
      this.bytes += chunk.length;
      if (this.bytes < until) return;
      this.socket.pause();
      enough.resolve();
    };
    this.socket.on('data', take).resume();
    await enough.promise;
    this.socket.off('data', take);
  }

  /** Waits until the network has taken something. */
  async untilSomethingIsTaken(): Promise<void> {
    this.taken = await untilStill('what the network has taken', () => this.countTaken());
  }

  /** Reads on until the network takes more of what the server sends, which it does in steps of megabytes. */
  async readUntilMoreIsTaken(): Promise<void> {
    while (this.countTaken() === this.taken) {
      await this.read(PART);
      for (let turns = 0; turns < 20; turns += 1) await turn();
    }
    await this.untilSomethingIsTaken();
  }

  private countTaken(): number {
    const { bytesWritten, writeQueueSize } = (this.served as unknown as { _handle: Handle })._handle;
    return bytesWritten - writeQueueSize;
  }
}
