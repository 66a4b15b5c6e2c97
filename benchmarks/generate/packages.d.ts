// biome-ignore-all lint/style/noDefaultExport: these packages have only a default export.
declare module "lzfjs" {
  const lzf: { compress(data: Uint8Array): Uint8Array };
  export default lzf;
}
declare module "snappyjs" {
  const snappy: { compress(data: Uint8Array): Uint8Array };
  export default snappy;
}
declare module "zstd-codec" {
  export const ZstdCodec: {
    run(
      ready: (module: {
        Simple: new () => { compress(data: Uint8Array, level: number): Uint8Array };
      }) => void,
    ): void;
  };
}
