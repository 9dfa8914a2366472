import type { EventEmitter } from 'node:events';
import type { BusboyInstance } from '@fastify/busboy';
import { parse as parseDisposition } from 'content-disposition';

/** What Busboy is built on, which alone has the heads of the parts as they came. */
interface PartSource {
  readonly _parser: { readonly parser: EventEmitter };
}

type PartHead = Readonly<Record<string, readonly string[]>>;

/**
 * What clients call their files. Busboy takes the last of several names, and none at all of some: with `filename*` before
 * or behind `filename`, the former counts (RFC 6266, section 4.3).
 */
export class PartNames {
  private extended: string | undefined;

  /** @param parser that has not read anything yet */
  constructor(parser: BusboyInstance) {
    (parser as unknown as PartSource)._parser.parser.on('part', (part: EventEmitter) =>
      // Before Busboy, which tells of the file while it is told of its head.
      part.prependListener('header', (head: PartHead) => (this.extended = extendedName(head))),
    );
  }

  /** The name of the file that Busboy tells of now. @param plain its `filename`, as Busboy has read it */
  nameOf(plain = ''): string {
    // As browsers and curl write a quotation mark.
    return this.extended ?? plain.replaceAll('%22', '"');
  }
}

function extendedName(head: PartHead): string | undefined {
  const [disposition = ''] = head['content-disposition'] ?? [];
  if (!/filename\*/i.test(disposition)) return undefined;
  const [known, plain] = [true, false].map((extended) => parseDisposition(disposition, { multipart: true, extended }));
  // The same where it cannot be decoded.
  return known?.parameters.filename === plain?.parameters.filename ? undefined : known?.parameters.filename;
}
