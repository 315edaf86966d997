import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { preloadFonts } from './vite.preload-fonts.ts'

const common =
  /node_modules\/(react|react-dom|scheduler)\/|src\/(contract\/(pages|clubs|events|errors|values\/(images|dates|money|fields))|web\/(paths|read-id|api\/(call|in-flight|last-seen|proof-state|query-client|server-time|session|store)|layouts\/(Footer|Problem|use-focus-on-navigation)|ui\/(Prose|forms\/FieldNotes|Loading|PageTitle|use-now|notices\/notify|save-file)))\.tsx?$/

export default defineConfig({
  root: 'src/web',
  publicDir: '../../public',
  plugins: [react(), preloadFonts],
  // The decoder of codes runs in a thread of its own.
  worker: { format: 'es' },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // The policy allows no inline data scripts, and files of their own are cached for good.
    assetsInlineLimit: 0,
    // What nearly every page needs comes in one file, and what several pages for staff share in another, not in dozens of a few lines each.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'common', test: common, priority: 2 },
            {
              name: 'staff',
              test: /node_modules\/(@mantine|@floating-ui|react-router|react-hook-form|@hookform)/,
              minShareCount: 3,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
})
