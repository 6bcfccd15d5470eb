import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Returns the version in the package.json above a folder: two folders up from here, three where this was compiled. */
function versionAbove(folder: string): string {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return versionAbove(dirname(folder))
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

/** The version of the product. */
export const VERSION: string = versionAbove(import.meta.dirname)
