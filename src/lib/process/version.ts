import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Returns the version in the nearest package.json: two folders up from here, three where this was compiled. */
function versionAbove(folder: string): string {
  const file = join(folder, 'package.json')
  if (folder === dirname(folder)) throw new Error(`There is no package.json above ${import.meta.dirname}.`)
  if (!existsSync(file)) return versionAbove(dirname(folder))
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

/** The version of the product. */
export const VERSION: string = versionAbove(import.meta.dirname)
