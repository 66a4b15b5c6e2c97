/** The part of WebAssembly's interface that is used here; Node's own types of version 20 leave it to the browser's. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    readonly exports: Record<string, unknown>;
    constructor(module: Module, imports?: Record<string, Record<string, unknown>>);
  }
}
