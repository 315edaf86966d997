import { parse, TYPE } from '@formatjs/icu-messageformat-parser'

/**
 * Compiles message catalogs to TypeScript: a function for each message, with its arguments as types.
 *
 * A catalog is `{ area: { key: message } }`, each message in ICU MessageFormat. Arguments become properties of one parameter: `{name}` a
 * string or number, a plural's a number, a select's one of its keys. A message with tags (`<link>here</link>`) takes a function for each
 * tag and returns its parts in order, so that a component can stand in the middle of a sentence.
 *
 * @param {Record<string, Record<string, Record<string, string>>>} catalogs By language; the first one is the source of the others.
 * @returns {Map<string, string>} The text of each file by its path: `ticket.ts`, which says a message in the current language, and
 *   `de/ticket.ts`, which a build for one language uses in its place.
 */
export function compileTexts(catalogs) {
  const languages = Object.keys(catalogs)
  const [source] = languages
  const files = new Map()
  const compiled = new Map(languages.map((language) => [language, compileCatalog(language, catalogs[language])]))
  const faults = languages.flatMap((language) => differences(compiled.get(language), compiled.get(source), language))
  if (faults.length > 0) throw new Error(faults.join('\n'))
  for (const [language, areas] of compiled)
    for (const [area, messages] of areas) files.set(`${language}/${area}.ts`, moduleOf(language, messages))
  for (const [area, messages] of compiled.get(source)) files.set(`${area}.ts`, choiceOf(languages, area, messages))
  files.set(
    'languages.ts',
    `${HEAD}/** Every language with a catalog; the first one is the source. */\nexport const languages = ${list(languages)} as const\n`,
  )
  return files
}

const HEAD = '// Made by scripts/compile-texts.mjs from the catalogs in src/texts.\n'
/** Words of JavaScript, and names that the compiled modules use themselves. */
const RESERVED = new Set(
  'arguments await break by case catch class const continue currentLanguage debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null language number package plural private protected public return static super switch this throw true try typeof undefined var void while with yield'.split(
    ' ',
  ),
)

/** Refuses what cannot be the name of a function, a property or a file. */
function checkedName(name, place) {
  if (/^[a-z][A-Za-z0-9]*$/.test(name) && !RESERVED.has(name)) return name
  throw new Error(`${place}: “${name}” cannot be a name.`)
}

const list = (values) => `[${values.map((value) => JSON.stringify(value)).join(', ')}]`

function compileCatalog(language, catalog) {
  return new Map(
    Object.entries(catalog).map(([area, messages]) => [
      checkedName(area, language),
      new Map(
        Object.entries(messages).map(([key, text]) => {
          const name = `${language}: ${area}.${key}`
          return [checkedName(key, name), compileMessage(text, name)]
        }),
      ),
    ]),
  )
}

/** What a catalog lacks, has in addition, or says with other arguments than the source. */
function differences(areas, source, language) {
  const names = (map) => [...map].flatMap(([area, messages]) => [...messages.keys()].map((key) => `${area}.${key}`))
  const of = (map, name) => map.get(name.slice(0, name.indexOf('.')))?.get(name.slice(name.indexOf('.') + 1))
  const missing = names(source).filter((name) => !of(areas, name))
  const unknown = names(areas).filter((name) => !of(source, name))
  const other = names(areas).filter((name) => of(source, name) && of(source, name).type !== of(areas, name).type)
  return [
    ...missing.map((name) => `${language}: ${name} is missing.`),
    ...unknown.map((name) => `${language}: ${name} is not in the source.`),
    ...other.map((name) => `${language}: ${name} takes ${of(areas, name).type} instead of ${of(source, name).type}.`),
  ]
}

function compileMessage(text, name) {
  if (text.trim() !== text || text === '') throw new Error(`${name} is empty, or begins or ends with a space.`)
  let nodes
  try {
    nodes = parse(text, { requiresOtherClause: true })
  } catch (error) {
    throw new Error(`${name} is not ICU MessageFormat: ${error.message}`)
  }
  const types = new Map()
  const uses = new Set()
  const isInParts = hasTag(nodes)
  const context = { types, uses, name }
  const body = isInParts ? `[${partsOf(nodes, context)}]` : stringOf(nodes, context)
  const properties = [...types].sort(([a], [b]) => (a < b ? -1 : 1)).map(([each, type]) => `${each}: ${type}`)
  return { type: `{ ${properties.join('; ')} }`, hasInput: types.size > 0, body, isInParts, text, uses }
}

const hasTag = (nodes) =>
  nodes.some(
    (node) =>
      node.type === TYPE.tag ||
      Object.values(node.options ?? {}).some((option) => option.value && hasTag(option.value)),
  )

/** A TypeScript expression for the text. */
function stringOf(nodes, context, counted) {
  const pieces = nodes.map((node) => {
    if (node.type === TYPE.literal) return escapeTemplate(node.value)
    return `\${${argument(node, context, counted)}}`
  })
  return `\`${pieces.join('')}\``
}

/** The elements of an array, as TypeScript: strings, and what the functions for the tags return. */
function partsOf(nodes, context, counted) {
  return nodes
    .map((node) => {
      if (node.type === TYPE.literal) return JSON.stringify(node.value)
      if (node.type === TYPE.tag) {
        if (hasTag(node.children)) throw new Error(`${context.name} has a tag in a tag.`)
        note(context, node.value, TAG)
        return `p.${node.value}(${stringOf(node.children, context, counted)})`
      }
      const isChoice = node.type === TYPE.plural || node.type === TYPE.select
      return isChoice
        ? `...(${choose(node, context, (inner, value) => `[${partsOf(inner, context, value)}]`)})`
        : `\`\${${argument(node, context, counted)}}\``
    })
    .join(', ')
}

function argument(node, context, counted) {
  if (node.type === TYPE.argument) {
    note(context, node.value, SHOWN)
    return `p.${node.value}`
  }
  if (node.type === TYPE.pound) {
    context.uses.add('number')
    return `number(language, ${counted})`
  }
  if (node.type === TYPE.plural || node.type === TYPE.select)
    return choose(node, context, (inner, value) => stringOf(inner, context, value))
  throw new Error(`${context.name} uses a kind of argument that is not supported: format it before.`)
}

/** A chain of conditions over the options of a plural or select. */
function choose(node, context, write) {
  const isPlural = node.type === TYPE.plural
  const options = Object.entries(node.options).filter(([key]) => key !== 'other')
  const keys = options.map(([key]) => JSON.stringify(key))
  note(context, node.value, isPlural ? 'number' : [...keys, '"other"'].sort().join(' | '))
  const value = `p.${node.value}`
  const counted = isPlural && node.offset > 0 ? `${value} - ${node.offset}` : value
  const test = (key) => {
    if (!isPlural) return `${value} === ${JSON.stringify(key)}`
    if (key.startsWith('=')) return `${value} === ${Number(key.slice(1))}`
    if (node.pluralType === 'ordinal') throw new Error(`${context.name} counts in order, which is not supported.`)
    context.uses.add('plural')
    return `plural(language, ${counted}) === ${JSON.stringify(key)}`
  }
  const last = write(node.options.other.value, counted)
  // Exact numbers come before the categories that contain them.
  const sorted = [...options].sort(([a], [b]) => Number(b.startsWith('=')) - Number(a.startsWith('=')))
  return sorted.reduceRight(
    (rest, [key, { value: inner }]) => `${test(key)} ? ${write(inner, counted)} : ${rest}`,
    last,
  )
}

const SHOWN = 'string | number'
const TAG = '(text: string) => T'

function note({ types, name }, argument, type) {
  const known = types.get(checkedName(argument, name)) ?? type
  // What is counted or chosen by may also be shown as it is.
  const [wide, narrow] = type === SHOWN ? [type, known] : [known, type]
  if (wide !== narrow && (wide !== SHOWN || narrow === TAG))
    throw new Error(`${name} uses ${argument} as ${known} and as ${type}.`)
  types.set(argument, narrow)
}

const escapeTemplate = (text) => text.replace(/[\\`]|\$(?=\{)/g, '\\$&')
const comment = (text) => `/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n`
const parameter = ({ hasInput, type, isInParts }) =>
  `${isInParts ? '<T>' : ''}(${hasInput ? `p: ${type}` : ''}): ${isInParts ? '(string | T)[]' : 'string'}`

/** The messages of one area in one language. */
function moduleOf(language, messages) {
  const uses = [...new Set([...messages.values()].flatMap(({ uses: each }) => [...each]))].sort()
  const imported =
    uses.length > 0
      ? `import { ${uses.join(', ')} } from '../../numbers.ts'\n\nconst language = ${JSON.stringify(language)}\n`
      : ''
  const body = [...messages].map(
    ([key, message]) => `${comment(message.text)}export const ${key} = ${parameter(message)} => ${message.body}\n`,
  )
  return HEAD + imported + body.join('')
}

/** The messages of one area in the current language. */
function choiceOf(languages, area, messages) {
  // No name of a message has an underscore.
  const local = (language) => `in_${language.replaceAll('-', '_')}`
  const imports = languages.map((language) => `import * as ${local(language)} from './${language}/${area}.ts'\n`)
  const [source] = languages
  const all = languages.map((language) => `${JSON.stringify(language)}: ${local(language)}`).join(', ')
  const body = [...messages].map(([key, { text, hasInput }]) => {
    const call = hasInput ? '(p)' : '()'
    return `${comment(text)}export const ${key}: typeof ${local(source)}.${key} = ${call} => by[currentLanguage()].${key}${call}\n`
  })
  return `${HEAD}import { currentLanguage, type Language } from '../language.ts'
${imports.join('')}
const by: Record<Language, typeof ${local(source)}> = { ${all} }

${body.join('')}`
}
