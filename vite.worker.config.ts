import { defineConfig } from 'vite'
import { outDir } from './vite.out-dir.ts'

/** The service worker: one file at the root, because it serves only what stands below it. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: `${outDir}/web`,
    emptyOutDir: false,
    target: 'es2022',
    // Hides the warning about slow plugins, which helps nobody who only builds.
    rolldownOptions: { checks: { bundlerTimings: false } },
    lib: { entry: 'src/service-worker/service-worker.ts', formats: ['es'], fileName: () => 'service-worker.js' },
  },
})
