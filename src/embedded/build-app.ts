import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { sha256 } from '../lib/hash.ts'
import { COMPILED } from '../lib/process/code-file.ts'
import type { Progress } from '../lib/process/progress.ts'
import { BUILT_APP } from '../pages/app-folder.ts'
import { withFileLock } from './process/file-lock.ts'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = join(ROOT, 'src/web')
/** What the sources import from elsewhere. */
const USED_BY_SOURCES = [join(ROOT, 'src/lib'), join(ROOT, 'clients/typescript/src')]
/** The file of the built app that says what it was built from. */
const MARK = 'built-from.txt'

const run = promisify(execFile)

/**
 * Makes the signed-in app ready for a start from the sources. Compiled JavaScript comes with it. A build that fails is
 * reported and keeps nothing else from starting: prices are read without the app.
 */
export async function buildApp(progress: Pick<Progress, 'say'>): Promise<void> {
  if (COMPILED) return
  try {
    await currentApp(progress)
  } catch (error) {
    progress.say(`The app could not be built. Everything else goes on. ${(error as Error).message}`)
  }
}

/**
 * Builds the app where its sources changed since it was built: once, also where several starts want it.
 * @returns its folder
 */
export async function currentApp(progress: Pick<Progress, 'say'>): Promise<string> {
  const sources = await fingerprint()
  if (sources === (await builtFrom())) return BUILT_APP
  await mkdir(dirname(BUILT_APP), { recursive: true })
  const waiting = 'Another process builds the app: waiting for it.'
  await withFileLock(`${BUILT_APP}.lock`, waiting, progress, async () => {
    if (sources !== (await builtFrom())) await build(sources, progress)
  })
  return BUILT_APP
}

async function build(sources: string, progress: Pick<Progress, 'say'>): Promise<void> {
  const vite = viteProgram()
  if (vite === undefined) throw new Error('Its build tools are missing: install them with npm install --include=dev.')
  progress.say('Building the app …')
  // Made beside it, so that the folder is there whole or not at all.
  const fresh = `${BUILT_APP}.${process.pid}`
  const config = join(SOURCES, 'vite.config.ts')
  await run(process.execPath, [vite, 'build', '--config', config, '--outDir', fresh, '--logLevel', 'warn'])
  await writeFile(join(fresh, MARK), sources)
  await rm(BUILT_APP, { recursive: true, force: true })
  await rename(fresh, BUILT_APP)
}

const builtFrom = (): Promise<string | undefined> => readFile(join(BUILT_APP, MARK), 'utf8').catch(() => undefined)

/** What the built app depends on: its sources, and the packages they are built with. */
async function fingerprint(): Promise<string> {
  const files = [SOURCES, ...USED_BY_SOURCES]
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .concat(join(ROOT, 'package-lock.json'))
    .sort()
  const hashes = await Promise.all(
    files.map(async (file) => `${file.slice(ROOT.length)} ${sha256(await readFile(file))}`),
  )
  return sha256(hashes.join('\n'))
}

function viteProgram(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')
  } catch {
    return undefined
  }
}
