// Puts what a server needs to run, and nothing else, into a new folder: node scripts/pack.mjs FOLDER. It must have been built.
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { root } from './install.mjs'
import { outside, readByName } from './outside.mjs'

const [target] = process.argv.slice(2)
if (!target || existsSync(target)) {
  console.error('Give the name of a new folder: node scripts/pack.mjs FOLDER')
  process.exit(1)
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

/** Where a package is found by one in this folder: beside it, or in a folder above. */
function find(name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (packages[path]) return path
    if (at === '' || !at.includes('node_modules/')) return at === '' ? null : find(name, '')
  }
}

const needed = new Set()
function add(name, from, isOptional) {
  const path = find(name, from)
  // npm leaves out what is for other machines.
  if (path === null || !existsSync(join(root, path))) {
    if (!isOptional) throw new Error(`${name} is not installed.`)
    return
  }
  if (needed.has(path)) return
  needed.add(path)
  const { dependencies = {}, optionalDependencies = {} } = packages[path]
  for (const each of Object.keys(dependencies)) add(each, path, each in optionalDependencies)
  for (const each of Object.keys(optionalDependencies)) add(each, path, true)
}
// Nobody has `pg-native`; the driver asks for it.
for (const name of [...outside, ...readByName]) add(name, '', name === 'pg-native')

mkdirSync(target, { recursive: true })
for (const path of needed) {
  // Packages within it are copied when they are needed themselves.
  const isOwn = (source) => !source.slice(join(root, path).length).includes('/node_modules/')
  mkdirSync(dirname(join(target, path)), { recursive: true })
  cpSync(join(root, path), join(target, path), { recursive: true, verbatimSymlinks: true, filter: isOwn })
}
cpSync(join(root, 'dist'), join(target, 'dist'), {
  recursive: true,
  filter: (source) => extname(source) !== '.map',
})
for (const file of ['package.json', 'LICENSE']) cpSync(join(root, file), join(target, file))
