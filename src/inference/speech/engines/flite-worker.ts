/** The worker of `FliteEngine`: it runs the program once for each text. Types are stripped: erasable syntax only. */
import { parentPort, workerData } from 'node:worker_threads';
import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';
import type { FliteResult, FliteTask } from './flite-engine.js';

/** All that the program sees: a folder in memory. */
const FOLDER = '/scratch';
const TEXT = 'text';
const WAV = 'audio.wav';

/** Runs the program with two files in memory, and nothing else of the machine. */
async function speak({ text, voice, stretch }: FliteTask): Promise<FliteResult> {
  const folder = new PreopenDirectory(FOLDER, new Map([[TEXT, new File(new TextEncoder().encode(text))]]));
  const quiet = (): ConsoleStdout => new ConsoleStdout(() => undefined);
  const files = [new OpenFile(new File([])), quiet(), quiet(), folder];
  const paths = ['-f', `${FOLDER}/${TEXT}`, '-o', `${FOLDER}/${WAV}`];
  const args = ['flite', '-voice', voice, '--setf', `duration_stretch=${stretch.toFixed(4)}`, ...paths];
  const system = new WASI(args, [], files, { debug: false });
  const program = await WebAssembly.instantiate(workerData as WebAssembly.Module, {
    wasi_snapshot_preview1: system.wasiImport,
  });
  const code = system.start(program as Parameters<WASI['start']>[0]);
  const wav = folder.dir.contents.get(WAV);
  return code === 0 && wav instanceof File ? { wav: wav.data } : {};
}

parentPort?.on('message', (task: FliteTask) => {
  speak(task).then(
    (result) => parentPort?.postMessage(result),
    () => parentPort?.postMessage({}),
  );
});
