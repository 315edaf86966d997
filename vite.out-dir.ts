/** Where a build is made, in the project's folder. When it is complete, `scripts/build.mjs` puts it in the place of `dist`. */
export const outDir = 'dist.new'
