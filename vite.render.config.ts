import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { classNames } from './vite.class-names.ts'
import { compiledSchemas } from './vite.compiled-schemas.ts'
import { oneByte } from './vite.one-byte.ts'
import { outDir } from './vite.out-dir.ts'

/** The public pages for the server, which renders them: of the same components, with the same names of styles, as the browser's. */
export default defineConfig({
  root: 'src/web',
  publicDir: false,
  css: { modules: classNames },
  plugins: [react(), compiledSchemas(), oneByte],
  // Otherwise React's development version would come with it, and be used unless NODE_ENV says otherwise.
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true },
  build: {
    ssr: 'rendering/render.tsx',
    outDir: `../../${outDir}/pages`,
    emptyOutDir: true,
    target: 'node20',
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      // Hides the warning about slow plugins, which helps nobody who only builds.
      checks: { bundlerTimings: false },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
