import { defineConfig } from 'vite'
import { outside } from './scripts/outside.mjs'
import { compiledSchemas } from './vite.compiled-schemas.ts'
import { nativeCrc32 } from './vite.native-crc32.ts'
import { oneByte } from './vite.one-byte.ts'
import { outDir } from './vite.out-dir.ts'

/** The server as a few files: reading a thousand modules would take most of its start. */
export default defineConfig({
  publicDir: false,
  plugins: [compiledSchemas(), nativeCrc32, oneByte],
  ssr: {
    noExternal: true,
    external: outside,
  },
  build: {
    ssr: true,
    outDir: `${outDir}/server`,
    target: 'node20',
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      // Hides the warning about slow plugins, which helps nobody who only builds.
      checks: { bundlerTimings: false },
      input: {
        main: 'src/server/main.ts',
        backup: 'src/server/backup/commands/backup-command.ts',
        restore: 'src/server/backup/commands/restore-command.ts',
        'reset-factor': 'src/server/security/reset-factor-command.ts',
        // Threads are loaded by their names.
        'render-thread': 'src/server/events/render-thread.ts',
        'maker-thread': 'src/server/tickets/maker-thread.ts',
        'test-bank': 'test/test-bank/test-bank.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
