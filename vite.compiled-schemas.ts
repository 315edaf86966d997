import type { Plugin } from 'vite'

/**
 * Lets Zod compile each object's schema into a function, as its larger build does (`zod`). The small one (`zod/mini`), which pages load, does
 * not, because compiling costs more than it saves in a browser, and their content security policy forbids it.
 */
export function compiledSchemas(): Plugin {
  let isFound = false
  return {
    name: 'compiled-schemas',
    apply: 'build',
    enforce: 'pre',
    transform: (code, id) => {
      if (!id.endsWith('/zod/v4/mini/schemas.js')) return null
      isFound = true
      const compiled = code.replace('core.$ZodObject.init(inst, def)', () => 'core.$ZodObjectJIT.init(inst, def)')
      if (compiled === code) throw new Error('The schemas do not look as they did: compiledSchemas must be told.')
      // Each line stays where it was.
      return { code: compiled, map: null }
    },
    buildEnd: (error) => {
      if (!error && !isFound) throw new Error('The schemas are not where they were: compiledSchemas must be told.')
    },
  }
}
