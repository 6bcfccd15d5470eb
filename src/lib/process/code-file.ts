import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `.ts` where the product runs from its sources, `.js` where it was compiled. */
const EXTENSION = extname(new URL(import.meta.url).pathname)

/** Whether this is what `npm run build` made. */
export const COMPILED = EXTENSION === '.js'

/**
 * Returns the URL of a module of ours that is loaded by name, by another process or a bundler.
 * @param from `import.meta.url` of the caller
 * @param module the path of the module without its ending
 */
export const codeUrl = (from: string, module: string): string => new URL(module + EXTENSION, from).href

/** Returns the path of a module of ours that is loaded by name. */
export const codeFile = (from: string, module: string): string => fileURLToPath(codeUrl(from, module))
