import { type ExecFileException, execFile } from 'node:child_process'
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../../src/embedded/process/cache-folder.ts'
import { sha256 } from '../../src/lib/hash.ts'

const run = promisify(execFile)
const PYTHON_LIBRARIES = ['standardwebhooks==1.1.0', 'svix==2.9.1']
const GO_PATHS = ['go', '/usr/local/go/bin/go', '/usr/lib/go/bin/go']

/** The environment in which python3 finds the stock libraries, installed once into the cache. */
export async function python(): Promise<{ command: string; env: NodeJS.ProcessEnv }> {
  const { stdout: version } = await orExplain(
    run('python3', ['--version']),
    'python3 with pip is needed: apt install python3-pip',
  )
  const site = await built(`python-${sha256(version + PYTHON_LIBRARIES.join()).slice(0, 12)}`, (folder) => {
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', folder]
    return orExplain(run('python3', [...install, ...PYTHON_LIBRARIES]), 'pip is needed: apt install python3-pip')
  })
  return { command: 'python3', env: { ...process.env, PYTHONPATH: site, PYTHONDONTWRITEBYTECODE: '1' } }
}

/** A Go program of the repository, built once into the cache for each state of its source. */
export async function goProgram(source: string): Promise<string> {
  const texts = await Promise.all(['main.go', 'go.mod', 'go.sum'].map((name) => readFile(join(source, name), 'utf8')))
  const folder = await built(`go-${sha256(texts.join('\n')).slice(0, 12)}`, async (made) => {
    const go = await findGo()
    // The modules are pinned by go.sum, which leaves nothing for a checksum database to add.
    const env = { ...process.env, GOFLAGS: '-mod=readonly', GONOSUMDB: '*', GOTOOLCHAIN: 'local' }
    await orExplain(
      run(go, ['build', '-o', join(made, 'program'), '.'], { cwd: source, env }),
      'Go 1.22 or newer is needed',
    )
  })
  return join(folder, 'program')
}

async function findGo(): Promise<string> {
  for (const path of GO_PATHS) {
    const found = await run(path, ['version']).catch(() => undefined)
    if (found) return path
  }
  throw new Error('Go is needed to verify deliveries with its stock library: apt install golang-go')
}

/** A folder of the cache, made once. Built aside and moved, so that two runs at once and a killed one do no harm. */
async function built(name: string, build: (folder: string) => Promise<unknown>): Promise<string> {
  const parent = join(cacheFolder(process.env.PRICETAPE_CACHE_DIR), 'stock-libraries')
  const folder = join(parent, name)
  if (await exists(folder)) return folder
  const aside = `${folder}.${process.pid}`
  await mkdir(aside, { recursive: true })
  await build(aside)
  await rename(aside, folder).catch(async (error) => {
    await rm(aside, { recursive: true, force: true })
    if (!(await exists(folder))) throw error
  })
  return folder
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

async function orExplain<T>(work: Promise<T>, sentence: string): Promise<T> {
  return work.catch((cause: ExecFileException & { stderr?: string }) => {
    throw new Error(`${sentence}\n${cause.stderr ?? cause.message}`, { cause })
  })
}
