declare module "*/.dependency-cruiser.mjs" {
  const config: { forbidden: object[]; options: object };
  export default config;
}
