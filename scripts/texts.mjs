import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const texts = fileURLToPath(new URL('../src/texts', import.meta.url))
const generated = join(texts, 'generated')

/**
 * Compiles the catalogs of src/texts into src/texts/generated, and returns their languages, the source first. Files that stay the same are
 * not written, so that nothing is built again for them.
 */
export async function generateTexts() {
  // Here, because the packages may be installed only after this module has been loaded.
  const { compileTexts } = await import('./compile-texts.mjs')
  const catalogs = readCatalogs()
  const files = compileTexts(catalogs)
  for (const [name, text] of files) {
    const file = join(generated, name)
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  for (const name of readdirSync(generated, { recursive: true }))
    if (name.endsWith('.ts') && !files.has(name)) rmSync(join(generated, name))
  return Object.keys(catalogs)
}

/** Every catalog by its language, the source first. */
function readCatalogs() {
  const names = readdirSync(texts).filter((name) => name.endsWith('.json') && name !== 'tsconfig.json')
  const languages = names.map((name) => name.replace('.json', '')).sort()
  const ordered = ['en', ...languages.filter((language) => language !== 'en')]
  return Object.fromEntries(
    ordered.map((language) => [language, JSON.parse(readFileSync(join(texts, `${language}.json`), 'utf8'))]),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generateTexts()
