import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { AnyJson } from '../probes/any-json.js';
import { eventually } from '../probes/eventually.js';

const CHROMIUM = '/usr/bin/chromium-headless-shell';

/** A real browser without a window, driven by the Chrome DevTools Protocol over pipes; it ends with them. */
export class Chromium {
  private last = 0;
  private unread = '';
  private readonly waiting = new Map<number, { resolve: (value: AnyJson) => void; reject: (error: Error) => void }>();
  private readonly tabs = new Map<string, Tab>();
  private readonly folder = mkdtempSync(join(tmpdir(), 'chromium-'));
  private readonly process: ChildProcess;

  constructor() {
    // Its sandbox does not run as root; the pages are our own.
    const flags = ['--no-sandbox', '--remote-debugging-pipe', `--user-data-dir=${this.folder}`];
    this.process = spawn(CHROMIUM, flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    const answers = this.process.stdio[4] as Readable;
    answers.setEncoding('utf8').on('data', (text: string) => {
      const messages = (this.unread + text).split('\0');
      this.unread = messages.pop() ?? '';
      for (const message of messages) this.take(JSON.parse(message));
    });
  }

  /** Opens an address in a new tab with a profile of its own. */
  async open(url: string): Promise<Tab> {
    const { browserContextId } = await this.send('Target.createBrowserContext');
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const tab = new Tab((method, params) => this.send(method, params, sessionId));
    this.tabs.set(sessionId, tab);
    for (const domain of ['Page', 'Network', 'Log']) await tab.send(`${domain}.enable`);
    await tab.go(url);
    return tab;
  }

  async close(): Promise<void> {
    const exited = once(this.process, 'exit');
    await this.send('Browser.close');
    await exited;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private send(method: string, params: object = {}, sessionId?: string): Promise<AnyJson> {
    const id = ++this.last;
    (this.process.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  private take({ id, result, error, method, params, sessionId }: AnyJson): void {
    if (id === undefined) return this.tabs.get(sessionId)?.take(method, params);
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result);
  }
}

/** A tab of it, with what it has asked for. */
export class Tab {
  /** Addresses of all requests, without what is behind #. */
  readonly requests: string[] = [];
  /** What the browser complains of, such as scripts that a policy has blocked. */
  readonly complaints: string[] = [];

  constructor(readonly send: (method: string, params?: object) => Promise<AnyJson>) {}

  /** Opens an address, as a link that is clicked in a mail does. */
  async go(url: string): Promise<void> {
    await this.send('Page.navigate', { url });
  }

  /** What an expression is in the page. */
  async read<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, returnByValue: true });
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
    return result.value as T;
  }

  /** Waits until a text of the page can be seen that fits. */
  seen(text: string): Promise<string> {
    return eventually(`“${text}” in the page`, 10, async () => {
      const page = await this.read<string>('document.body.innerText');
      return page.includes(text) ? page : undefined;
    });
  }

  /** Types into the field that has the focus, in place of what is there, and sends the form by the Enter key. */
  async enter(text: string): Promise<void> {
    await this.read('document.activeElement.select()');
    await this.send('Input.insertText', { text });
    const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' };
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
  }

  take(method: string, params: AnyJson): void {
    if (method === 'Network.requestWillBeSent') this.requests.push(params.request.url);
    if (method === 'Log.entryAdded') this.complaints.push(params.entry.text);
  }
}
