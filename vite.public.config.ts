import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { classesInPlace, classNames } from './vite.class-names.ts'
import { dropSentences } from './vite.drop-sentences.ts'
import { dropSummaries } from './vite.drop-summaries.ts'
import { inlineRuntime } from './vite.inline-runtime.ts'
import { buildLanguage, oneLanguage } from './vite.one-language.ts'
import { outDir } from './vite.out-dir.ts'
import { plainImports } from './vite.plain-imports.ts'
import { preloadFonts } from './vite.preload-fonts.ts'

/**
 * The public pages for the browser, apart from the staff's: a first small script with all styles, and one file that takes over what the
 * server rendered.
 */
export default defineConfig({
  root: 'src/web',
  publicDir: false,
  css: { modules: classNames },
  plugins: [
    react(),
    preloadFonts,
    dropSummaries,
    dropSentences,
    oneLanguage(buildLanguage),
    plainImports,
    classesInPlace,
    inlineRuntime,
  ],
  // React's part for its developer tools is left out: visitors have none.
  define: { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' },
  worker: { format: 'es' },
  build: {
    outDir: `../../${outDir}/pages-of/${buildLanguage}/vite.public.config.ts`,
    emptyOutDir: true,
    manifest: '.vite/public-manifest.json',
    target: 'es2022',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    // Slower than Vite's own, and a little smaller.
    minify: 'terser',
    terserOptions: {
      module: true,
      ecma: 2020,
      compress: { passes: 3, pure_getters: true, keep_fargs: false, reduce_funcs: false },
    },
    // The lazy pages need little more than what is loaded by then, and the list of what each needs would be part of the script.
    modulePreload: false,
    rolldownOptions: {
      // Hides the warning about slow plugins, which helps nobody who only builds.
      checks: { bundlerTimings: false },
      // A schema that no visitor's page uses is left out: making one changes nothing, which cannot be seen from the code alone.
      treeshake: {
        propertyReadSideEffects: false,
        manualPureFunctions: ['z', 'api', 'line', 'requiredLine', 'paragraph'],
      },
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      input: 'src/web/public.html',
      output: {
        // Each with all that it imports: two files, whatever they share.
        codeSplitting: {
          groups: [
            { name: 'public', test: /rendering\/boot\.ts$/, priority: 3 },
            // With what the pages with a form share.
            {
              name: 'take-over',
              test: /rendering\/take-over\.tsx$|src\/web\/ui\/(PageTitle|Parts|forms\/Field)\.tsx$/,
              priority: 2,
            },
            { name: 'account', test: /src\/web\/auth\/SignInPage\.tsx$/, priority: 1 },
            // An event's page with its form, and how its data are read, at once.
            {
              name: 'event',
              test: /src\/web\/(rendering\/read-event\.ts|registrations\/RegisterPage\.tsx)$/,
              priority: 1,
            },
            // The pages with a code, and how their data are read, at once.
            {
              name: 'ticket',
              test: /src\/web\/(rendering\/read-ticket\.ts|registrations\/(RegisteredPage|ticket\/RenderedTicket)\.tsx)$/,
            },
          ],
        },
      },
    },
  },
})
