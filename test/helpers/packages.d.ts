declare module "zstd-codec/lib/module.js" {
  export function run(
    ready: (module: {
      ZstdDecompressStreamBinding: new () => {
        begin(): void;
        transform(bytes: Uint8Array, output: (bytes: Uint8Array) => void): boolean;
      };
    }) => void,
  ): void;
}
