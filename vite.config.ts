import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { preloadFonts } from './vite.preload-fonts.ts'

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
    rolldownOptions: {
      output: {
        // Each with all that it imports, so that a page comes in a few files and not in dozens of a few lines each.
        codeSplitting: {
          groups: [
            { name: 'main', test: /src\/web\/main\.tsx$/, priority: 4 },
            // Only pages with a form need it.
            { name: 'forms', test: /node_modules\/(react-hook-form|@hookform)/, priority: 3 },
            { name: 'app', test: /src\/web\/(MainPages|layouts\/MainLayout)\.tsx$/, priority: 2 },
            // Without the rules of phone numbers, which are large.
            {
              name: 'contract',
              test: /src\/contract\/(?!.*(phones|countries|currency))/,
              minShareCount: 2,
              priority: 2,
            },
            { name: 'staff', test: /src\/web\/layouts\/(StaffLayout|SignedIn)\.tsx$/, priority: 1 },
            { name: 'kit', test: /node_modules\/(@mantine|@floating-ui)/, minShareCount: 3 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
})
