import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The repository, or the folder that `npm run build` made. */
const ROOT = join(import.meta.dirname, '../..')

/** Where the app is built from its sources. */
export const BUILT_APP = join(ROOT, '.cache/app')

/** Returns the folder of the built app; undefined where it was not built. */
export const appFolder = (): string | undefined =>
  [join(ROOT, 'app'), BUILT_APP].find((folder) => existsSync(join(folder, 'index.html')))
