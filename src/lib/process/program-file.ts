import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { COMPILED } from './code-file.ts'

const ROOT = join(import.meta.dirname, '../../..')
const FOLDER = join(ROOT, '.cache/programs')
const OPTIONS = ['--bundle', '--packages=external', '--platform=node', '--format=esm', '--log-level=silent']
/** Begins the last line of a bundle: the sources that it was made of. */
const MADE_OF = '//# made of '

/** A file as it was: its path, and when it was last changed. */
type Source = [path: string, changedAt: number]

/** Returns what Node is given to run a module of ours in a process of its own. */
export function programArguments(module: string): string[] {
  const file = programFile(module)
  return file.endsWith('.ts')
    ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href, file]
    : [file]
}

/**
 * Returns a module of ours as a file that Node runs as it is: compiled code is one. Sources are bundled, again after a
 * change, because a loader takes each process a second of processor time. Where that fails, as in a folder that may not be
 * written, it is the source.
 */
export function programFile(module: string): string {
  if (COMPILED) return module
  const file = join(FOLDER, module.replace(ROOT, '').replace(/\.ts$/, '.js'))
  try {
    if (!isCurrent(file)) bundle(module, file)
    return file
  } catch {
    return module
  }
}

function isCurrent(file: string): boolean {
  try {
    const text = readFileSync(file, 'utf8')
    const sources = JSON.parse(text.slice(text.lastIndexOf(MADE_OF) + MADE_OF.length)) as Source[]
    return sources.every(([path, changedAt]) => changeOf(path) === changedAt)
  } catch {
    return false
  }
}

const changeOf = (path: string): number => statSync(join(ROOT, path)).mtimeMs

/** There whole or not at all, also where several processes make it. */
function bundle(module: string, file: string): void {
  const fresh = `${file}.${process.pid}`
  const metafile = `${fresh}.json`
  mkdirSync(dirname(file), { recursive: true })
  // Its command, and not its API, which never returns where it cannot start a process.
  const esbuild = createRequire(import.meta.url).resolve('esbuild/bin/esbuild')
  execFileSync(esbuild, [module, ...OPTIONS, `--outfile=${fresh}`, `--metafile=${metafile}`], { cwd: ROOT })
  const { inputs } = JSON.parse(readFileSync(metafile, 'utf8')) as { inputs: Record<string, unknown> }
  rmSync(metafile)
  const sources = Object.keys(inputs).map((path): Source => [path, changeOf(path)])
  appendFileSync(fresh, `${MADE_OF}${JSON.stringify(sources)}\n`)
  renameSync(fresh, file)
}
