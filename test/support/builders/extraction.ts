import { execFileSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { detectType } from '../../../src/platform/extraction/detect-type.js';
import type { ExtractedPage, FileKind } from '../../../src/platform/extraction/extraction.types.js';
import type { ExtractionConfig } from '../../../src/platform/extraction/config.js';
import { Extractor } from '../../../src/platform/extraction/extractor.js';

/** An extractor with these settings in place of the defaults; it is closed with the block that it is opened in. */
export async function openExtractor(settings: Partial<ExtractionConfig> = {}): Promise<Extractor & Disposable> {
  const extractor = await Extractor.open(
    {
      extractionProcesses: 2,
      extractionSeconds: 25,
      extractionMemoryMib: 1_024,
      extractionOcrLanguages: undefined,
      ...settings,
    },
    pino({ level: 'silent' }),
  );
  return Object.assign(extractor, { [Symbol.dispose]: () => extractor.close() });
}

/** Bytes as they come from a network: in parts. */
export function streamOf(bytes: Uint8Array, partBytes = 64 * 1024): Readable {
  const parts = Math.ceil(bytes.length / partBytes);
  return Readable.from(
    Array.from({ length: parts }, (_, index) => bytes.subarray(index * partBytes, (index + 1) * partBytes)),
  );
}

/** The pages of a file whose kind its content and name tell. @throws Error where they tell none */
export async function pagesOf(
  extractor: Extractor,
  bytes: Uint8Array,
  filename: string,
  { kind, signal = new AbortController().signal }: { readonly kind?: FileKind; readonly signal?: AbortSignal } = {},
): Promise<ExtractedPage[]> {
  const found = kind ?? (await detectType(bytes.subarray(0, 64 * 1024), filename))?.kind;
  if (!found) throw new Error('nothing that is read');
  const pages: ExtractedPage[] = [];
  for await (const page of extractor.extract(streamOf(bytes), { kind: found, signal })) pages.push(page);
  return pages;
}

/** The blocks of a page with their texts: `heading1 Tides`. */
export function blocksOf({ text, blocks }: ExtractedPage): string[] {
  return blocks.map(({ kind, level, start, end }) => `${kind}${level ?? ''} ${text.slice(start, end)}`);
}

/** The running processes of a program for recognition whose parent has ended. */
export function orphansOf(program: string): string[] {
  const list = execFileSync('ps', ['-eo', 'ppid=,stat=,args='], { encoding: 'utf8' });
  return list.split('\n').filter((line) => line.includes(`${program} - -`) && /^\s*1 [^Z]/.test(line));
}
