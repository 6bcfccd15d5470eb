import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../run.ts'

type LockEntry = {
  version: string
  name?: string
  license?: string
  integrity?: string
  os?: string[]
  cpu?: string[]
  dev?: boolean
  optional?: boolean
  devOptional?: boolean
  hasInstallScript?: boolean
  link?: boolean
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}
/** A package as it is installed: where, and as which version. */
export type InstalledPackage = { path: string; name: string; locked: LockEntry }

/** Licences of packages whose lock entry names none, as their LICENSE file says. */
const READ_BY_HAND: Record<string, string> = { unionfs: 'Unlicense', jsonify: 'Public Domain' }
const APP = join(ROOT, 'src/web')
const FOLDER = 'node_modules/'

const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockEntry>
}

/** Packages that run in production: `npm ci --omit=dev` installs them. */
export const production: InstalledPackage[] = Object.entries(packages)
  .filter(([path, { dev, link }]) => path !== '' && !dev && !link)
  .map(([path, locked]) => installed(path, locked))

/** Packages whose code the built app holds. They are installed only where it is built. */
export async function inTheApp(): Promise<InstalledPackage[]> {
  const found = new Map<string, LockEntry>()
  const add = (name: string, from: string) => {
    const path = placeOf(name, from)
    const locked = path && packages[path]
    if (!locked || found.has(path)) return
    found.set(path, locked)
    for (const next of Object.keys({ ...locked.dependencies, ...locked.peerDependencies })) add(next, path)
  }
  const built = packages['']!.devDependencies ?? {}
  for (const name of await importsOf(APP)) if (name in built) add(name, '')
  return [...found].filter(([, { dev }]) => dev).map(([path, locked]) => installed(path, locked))
}

export function licenceOf({ name, locked }: InstalledPackage): string | undefined {
  // A program for one system has the licence of the package that chooses it.
  const family = name.startsWith('@swc/core-') ? packages[`${FOLDER}@swc/core`]?.license : undefined
  return locked.license ?? READ_BY_HAND[name] ?? family
}

/** The lock file lacks the hash of packages that only other systems install: they were not at hand where it was made. */
export const lacksHash = ({ locked: { integrity, os = ['linux'], cpu = ['x64'] } }: InstalledPackage): boolean =>
  !integrity && os.includes('linux') && (cpu.includes('x64') || cpu.includes('arm64'))

/** Under an alias (`npm:`) a package keeps its own name. */
function installed(path: string, locked: LockEntry): InstalledPackage {
  return { path, name: locked.name ?? path.slice(path.lastIndexOf(FOLDER) + FOLDER.length), locked }
}

/** Where a package that is installed at `from` finds another, as Node looks for it. */
function placeOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf(`/${FOLDER}`)))) {
    const path = folder === '' ? FOLDER + name : `${folder}/${FOLDER}${name}`
    if (path in packages) return path
    if (folder === '') return undefined
  }
}

/** The packages that the app's files import. What builds it is not in it. */
async function importsOf(folder: string): Promise<Set<string>> {
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => /\.tsx?$/.test(file) && file !== 'vite.config.ts',
  )
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  const imports = texts.flatMap((text) => [...text.matchAll(/(?:from|import) '((?:@[^/']+\/)?[^./'][^/']*)/g)])
  return new Set(imports.map(([, name]) => name!))
}
