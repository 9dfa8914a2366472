import { SaxesParser } from 'saxes';
import { ExtractionFailed } from '../extraction-failed.js';
import { LIMITS } from '../limits.js';

/** The attributes of an element, by their names without prefixes. */
export type Attributes = Readonly<Record<string, string>>;

/** Hears what an XML file holds. Names are without prefixes. */
export interface XmlHandler {
  open?(name: string, attributes: Attributes): void;
  close?(name: string): void;
  /** All of a text, or a part of it. */
  text?(text: string): void;
  /** Between two chunks of the file: what was made of it can be given. */
  pause?(): Promise<void>;
}

/**
 * Reads an XML file as it comes. Document types are refused, and with them all entities but XML's own five.
 * @throws ExtractionFailed malformed or bomb
 */
export async function readXml(chunks: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> {
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false });
  let depth = 0;
  parser.on('error', () => {
    throw new ExtractionFailed('malformed');
  });
  parser.on('doctype', () => {
    throw new ExtractionFailed('bomb');
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > LIMITS.xmlDepth) throw new ExtractionFailed('bomb');
    handler.open?.(withoutPrefix(name), withoutPrefixes(attributes));
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    handler.close?.(withoutPrefix(name));
  });
  parser.on('text', (text) => handler.text?.(text));
  parser.on('cdata', (text) => handler.text?.(text));
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let isEmpty = true;
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(utf16Of(chunk) ?? 'utf-8');
    isEmpty = false;
    parser.write(decoder.decode(chunk, { stream: true }));
    await handler.pause?.();
  }
  if (isEmpty) return;
  parser.write(decoder?.decode() ?? '');
  parser.close();
  await handler.pause?.();
}

/** The office formats allow UTF-16, too. */
function utf16Of([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** But for `r:id`, the id of a relationship, which stands beside an `id`. */
function withoutPrefixes(attributes: Attributes): Attributes {
  const names: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    names[name === 'r:id' ? name : withoutPrefix(name)] ??= value;
  }
  return names;
}
