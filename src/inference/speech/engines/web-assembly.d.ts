/** What of WebAssembly is used; Node's own types leave it to those of browsers. */
declare namespace WebAssembly {
  /** A compiled program, which threads may share. */
  class Module {
    private readonly brand: unknown;
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  interface Instance {
    readonly exports: object;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports: object): Promise<Instance>;
}
