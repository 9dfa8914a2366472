import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8 from freeing compiled WebAssembly, for all threads of the process: call it before a thread that runs some
 * is started. The compiled calls from WebAssembly to JavaScript are shared by all threads, and V8 may free one that
 * another thread has just taken, which ends the process (`UnregisterWasmAllocation`, nodejs/node#64500). What is kept
 * is bounded by the size of the modules.
 */
export function keepWebAssemblyCode(): void {
  setFlagsFromString('--no-wasm-code-gc');
}
