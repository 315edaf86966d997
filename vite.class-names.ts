import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { CSSModulesOptions, Plugin } from 'vite'

const web = join(import.meta.dirname, 'src/web')
const styles = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.module.css'))
  .sort()

/** All names that this build has given. */
const given = new Set<string>()

/**
 * A class is named by its own name and the place of its file in the list of all: shorter than a hash, and these names are in every page's
 * HTML, styles and script. The server, which renders pages, is built with the same names.
 */
export const classNames: CSSModulesOptions = {
  generateScopedName: (name, file) => {
    const place = styles.indexOf(relative(web, file.replace(/\?.*$/, '')))
    if (place < 0) throw new Error(`${file} is not among the style modules: classNames must be told where it is.`)
    const scoped = `${name}_${place.toString(36)}`
    given.add(scoped)
    return scoped
  },
}

/**
 * Puts each class's name where it is used, so that a page's script holds the names that it uses and not those of all pages' styles.
 */
export const classesInPlace: Plugin[] = [
  {
    name: 'classes-by-name',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\.tsx$/ },
      handler: (code) => code.replace(/^import (\w+ from '.*\.module\.css')/gm, 'import * as $1'),
    },
  },
  {
    // Vite drops the styles of a module of which nothing is left. What stays is dropped when the script is minified.
    name: 'keep-styles',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /\.module\.css$/ },
      handler: (code) => ({ code, map: null, moduleSideEffects: 'no-treeshake' }),
    },
    generateBundle: (_options, bundle) => {
      const files = Object.values(bundle).filter((file) => file.type === 'asset' && file.fileName.endsWith('.css'))
      const css = files.map((file) => (file.type === 'asset' ? file.source.toString() : '')).join('')
      const lost = [...given].filter((name) => !new RegExp(`\\b${name}\\b`).test(css))
      if (lost.length > 0) throw new Error(`These classes have lost their styles: ${lost.join(', ')}.`)
    },
  },
]
