import { once } from 'node:events';
import WebSocket from 'ws';
import { openSocket } from '../builders/graphql-clients.js';

/** A message of the server. */
export interface Message {
  readonly id?: string;
  readonly type: string;
  readonly payload?: readonly { readonly extensions: object }[];
}

/** A peer that takes the close frame and says nothing, as a hostile one may. */
export class StubbornPeer {
  readonly messages: Message[] = [];
  private readonly socket: WebSocket;
  private waiting: (() => void) | undefined;

  /** @param url of the server @param headers of the upgrade */
  constructor(url: string, headers: Record<string, string> = {}) {
    this.socket = openSocket(url, headers);
    // What ws itself would answer to a close.
    const { socket } = this;
    socket.on('open', () => {
      const receiver = (socket as unknown as { _receiver: { removeAllListeners(event: string): void } })._receiver;
      receiver.removeAllListeners('conclude');
    });
    socket.on('message', (data) => {
      this.messages.push(JSON.parse(String(data)) as Message);
      this.waiting?.();
    });
    socket.on('error', () => undefined);
  }

  /** Resolves when it is closed. */
  get closed(): Promise<unknown> {
    return this.socket.readyState === WebSocket.CLOSED ? Promise.resolve() : once(this.socket, 'close');
  }

  /** Begins as a caller, or as nobody. */
  async open(token?: string): Promise<this> {
    await once(this.socket, 'open');
    this.send({ type: 'connection_init', payload: token === undefined ? {} : { authorization: `Bearer ${token}` } });
    return this;
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  /** Begins an operation. */
  subscribe(id: string, payload: object): void {
    this.send({ id, type: 'subscribe', payload });
  }

  /** Waits for a message. */
  async until(isIt: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.messages.find(isIt);
      if (found) return found;
      await new Promise<void>((resolve) => (this.waiting = resolve));
    }
  }

  /** Reads no more, until it is resumed. */
  pause(): void {
    this.connection.pause();
  }

  resume(): void {
    this.connection.resume();
  }

  leave(): void {
    this.socket.terminate();
  }

  /** What is below the web socket. */
  private get connection(): { pause(): void; resume(): void } {
    return (this.socket as unknown as { _socket: { pause(): void; resume(): void } })._socket;
  }
}
