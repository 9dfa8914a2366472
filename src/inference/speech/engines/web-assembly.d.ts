/** What of WebAssembly is used; Node's own types leave it to those of browsers. */
declare namespace WebAssembly {
  /** A compiled program, which threads may share. */
  class Module {
    private readonly brand: unknown;
    constructor(bytes: Uint8Array);
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  class Instance {
    readonly exports: object;
    constructor(module: Module, imports: object);
  }
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports: object): Promise<Instance>;
}
