import type { Plugin } from 'vite'

/**
 * Puts the bundler's few functions (250 bytes) into each chunk that uses them: with groups of chunks they are always a file of their own,
 * which is one request more on every page. The names of the chunks already depend on them, by the import that is replaced.
 */
export const inlineRuntime: Plugin = {
  name: 'inline-runtime',
  apply: 'build',
  enforce: 'post',
  generateBundle: (_options, bundle) => {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || file.name !== 'rolldown-runtime') continue
      const [, body, exported] = /^(.*)export\{([^}]*)\};?\s*$/s.exec(file.code) ?? []
      if (body === undefined || exported === undefined) throw new Error('The runtime does not look as it did.')
      const fields = exported.split(',').map((each) => each.replace(/^(\w+) as (\w+)$/, '$2:$1'))
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.imports.includes(file.fileName)) continue
        const own = file.fileName.split('/').at(-1)?.replaceAll('.', '\\.')
        const statement = new RegExp(`import\\{([^}]*)\\}from"\\./${own}";`)
        if (!statement.test(chunk.code)) throw new Error(`${chunk.fileName} does not import the runtime as it did.`)
        chunk.code = chunk.code.replace(statement, (_all, names: string) => {
          const wanted = names.split(',').map((each) => each.replace(/^(\w+) as (\w+)$/, '$1:$2'))
          return `const{${wanted.join(',')}}=(()=>{${body}return{${fields.join(',')}}})();`
        })
        chunk.imports = chunk.imports.filter((name) => name !== file.fileName)
      }
      delete bundle[file.fileName]
    }
  },
}
