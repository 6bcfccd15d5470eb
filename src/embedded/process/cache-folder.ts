import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Where programs that are fetched or built once are kept, for every checkout of this user. */
export const cacheFolder = (setting: string | undefined): string =>
  setting ? resolve(setting) : join(homedir(), '.cache', 'pricetape')
