import type { Socket } from 'node:net';
import { ber, ldapResult, ScriptedDirectory } from './scripted-directory.js';

/** A search as a scripted directory hears it. */
export interface HeardSearch {
  readonly base: string;
  /** The request as it was sent, with the values of its filter as they are. */
  readonly text: string;
  /** Of the page before; empty for the first one, undefined where no pages are asked for. */
  readonly cookie: string | undefined;
}

/** What is found: entries as `foundEntry` makes them. */
export interface SearchAnswer {
  readonly entries: readonly Buffer[];
  /** Of the next page; left out: there is none. */
  readonly cookie?: string;
  /** What the search ends with; left out: success. */
  readonly code?: number;
}

/** Starts a directory that says yes to every bind, and answers searches as a test tells it, when it tells it. */
export function startSearchedDirectory(
  onSearch: (search: HeardSearch) => SearchAnswer | Promise<SearchAnswer>,
): Promise<ScriptedDirectory> {
  return ScriptedDirectory.start((socket) => {
    let bytes = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (let head = headOf(bytes); head && head.end <= bytes.length; head = headOf(bytes)) {
        const message = elementsOf(bytes.subarray(head.start, head.end));
        bytes = bytes.subarray(head.end);
        void answer(socket, message, onSearch);
      }
    });
  });
}

/** An entry of an answer. */
export function foundEntry(dn: string, attributes: Readonly<Record<string, string | readonly string[]>> = {}): Buffer {
  const list = Object.entries(attributes).map(([name, values]) =>
    ber(0x30, ber(0x04, name), ber(0x31, ...[values].flat().map((value) => ber(0x04, value)))),
  );
  return ber(0x64, ber(0x04, dn), ber(0x30, ...list));
}

/** A person whose id ends with a number. */
export function foundPerson(n: number, { name = `Person ${n}`, domain = 'example.test' } = {}): Buffer {
  const entryUUID = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  return foundEntry(`uid=p${n},ou=people`, { entryUUID, mail: `p${n}@${domain}`, displayName: name });
}

/** Something that waits until it is opened. */
export interface Gate {
  readonly passed: Promise<void>;
  open(): void;
}

/** A gate that is closed. */
export function closedGate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: resolve };
}

interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

const BIND = 0x60;
const SEARCH = 0x63;
const CONTROLS = 0xa0;

async function answer(
  socket: Socket,
  [id, operation, controls]: readonly Element[],
  onSearch: (search: HeardSearch) => SearchAnswer | Promise<SearchAnswer>,
): Promise<void> {
  const send = (...parts: Buffer[]): boolean => socket.write(ber(0x30, ber(0x02, id?.content ?? ''), ...parts));
  if (operation?.tag === BIND) send(ldapResult(0x61));
  if (operation?.tag !== SEARCH) return;
  const [base] = elementsOf(operation.content);
  const cookie = controls?.tag === CONTROLS ? cookieOf(controls) : undefined;
  const text = operation.content.toString('utf8');
  const found = await onSearch({ base: base?.content.toString('utf8') ?? '', text, cookie });
  for (const entry of found.entries) send(entry);
  const value = ber(0x30, ber(0x02, Buffer.from([0])), ber(0x04, found.cookie ?? ''));
  const paged = ber(CONTROLS, ber(0x30, ber(0x04, '1.2.840.113556.1.4.319'), ber(0x04, value)));
  send(ldapResult(0x65, found.code), ...(cookie === undefined ? [] : [paged]));
}

function cookieOf({ content }: Element): string {
  const [control] = elementsOf(content);
  const value = elementsOf(control?.content ?? Buffer.alloc(0)).at(-1);
  const [pair] = elementsOf(value?.content ?? Buffer.alloc(0));
  return elementsOf(pair?.content ?? Buffer.alloc(0))[1]?.content.toString('utf8') ?? '';
}

function elementsOf(bytes: Buffer): Element[] {
  const elements: Element[] = [];
  for (let rest = bytes, head = headOf(rest); head; head = headOf(rest)) {
    elements.push({ tag: rest[0] ?? 0, content: rest.subarray(head.start, head.end) });
    rest = rest.subarray(head.end);
  }
  return elements;
}

function headOf(bytes: Buffer): { readonly start: number; readonly end: number } | undefined {
  const first = bytes[1];
  if (first === undefined) return undefined;
  if (first < 0x80) return { start: 2, end: 2 + first };
  const count = first & 0x7f;
  if (bytes.length < 2 + count) return undefined;
  return { start: 2 + count, end: 2 + count + bytes.readUIntBE(2, count) };
}
