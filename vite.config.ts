import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { classNames } from './vite.class-names.ts'
import { dropSentences } from './vite.drop-sentences.ts'
import { dropSummaries } from './vite.drop-summaries.ts'
import { buildLanguage, oneLanguage } from './vite.one-language.ts'
import { outDir } from './vite.out-dir.ts'
import { preloadFonts } from './vite.preload-fonts.ts'

export default defineConfig({
  root: 'src/web',
  publicDir: '../../public',
  css: { modules: classNames },
  plugins: [react(), preloadFonts, dropSummaries, dropSentences, oneLanguage(buildLanguage)],
  // The decoder of codes runs in a thread of its own.
  worker: { format: 'es' },
  build: {
    outDir: `../../${outDir}/pages-of/${buildLanguage}/vite.config.ts`,
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // The policy allows no inline data scripts, and files of their own are cached for good.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Hides the warning about slow plugins, which helps nobody who only builds.
      checks: { bundlerTimings: false },
      output: {
        // Each with all that it imports, so that a page comes in a few files and not in dozens of a few lines each.
        codeSplitting: {
          groups: [
            { name: 'main', test: /src\/web\/main\.tsx$/, priority: 4 },
            // Only pages with a form need it.
            { name: 'forms', test: /node_modules\/(react-hook-form|@hookform)/, priority: 3 },
            // Includes the small modules that most pages share.
            {
              name: 'app',
              test: /src\/web\/(MainPages|layouts\/MainLayout|site|api\/(download|query)|ui\/(use-[a-z-]+|contact-link)|ui\/forms\/(Field|FieldNotes|PasswordField|form-errors|field-place|use-error-focus)|ui\/notices\/use-notice-focus|ui\/dialogs\/(use-focus-return|keep-focus))\.tsx?$/,
              priority: 2,
            },
            // The dashboard, and what is needed on each page of whoever is signed in.
            {
              name: 'signed-in',
              test: /src\/web\/(layouts\/(SignedIn|account\/AccountMenu)|routing\/dashboard-data|dashboard\/AdminDashboardPage|palette\/StaffTools|ui\/(initials|dialogs\/use-closing)|shortcuts\/(Keys|shortcuts|single-keys|use-page-shortcuts))\.tsx?$/,
              priority: 1,
            },
            // What the dashboard needs of the contract.
            {
              name: 'contract',
              test: /src\/contract\/(clubs|events|event-state|refunds|values\/(covers|dates|images|money))\.ts$/,
              priority: 2,
            },
            // The rest of it, with what the other pages ask for first. Without the rules of phone numbers, which are large.
            {
              name: 'more-contract',
              test: /src\/(contract\/(?!.*(phones|countries|currency|proofs))|web\/(routing\/page-data|attendees\/attendee-list|read-id)\.ts)/,
              priority: 1,
            },
            {
              name: 'staff',
              test: /src\/web\/(layouts\/(StaffLayout|SignInDialog)|ui\/(dialogs\/\w+|forms\/(EditConflict|ImageField)))\.tsx$/,
              priority: 1,
            },
            { name: 'kit', test: /node_modules\/(@mantine|@floating-ui)/, minShareCount: 3 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
})
