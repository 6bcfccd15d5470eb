import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WorkerOptions } from '@temporalio/worker'
import type { Log } from '../lib/log.ts'
import { COMPILED } from '../lib/process/code-file.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The folders of the code that workflows may import. */
const FOLDERS = ['src', 'workflows']
const PREFIX = 'workflow-bundle-'
/** Made by `npm run build`, beside the compiled code. */
const PREBUILT = join(ROOT, 'workflow-bundle.js')

/**
 * Returns the bundled workflows: those that the build made, or the file that an earlier start left in this folder when
 * no source has changed since. It saves a start seconds of work. Where the folder does not exist, they are bundled
 * each time.
 */
export async function cachedBundle(folder: string, log: Log): Promise<NonNullable<WorkerOptions['workflowBundle']>> {
  if (COMPILED && (await stat(PREBUILT).catch(() => undefined))) return { codePath: PREBUILT }
  const name = `${PREFIX}${await sourceHash()}.js`
  const path = join(folder, name)
  if (await stat(path).catch(() => undefined)) return { codePath: path }
  const { bundleWorkflows } = await import('./bundle.ts')
  const { code } = await bundleWorkflows(log)
  await keep(folder, name, code).catch((err) => log.debug({ err }, 'The workflow bundle could not be kept'))
  return { code }
}

/** There whole or not at all; the bundles of other versions are deleted. */
async function keep(folder: string, name: string, code: string): Promise<void> {
  const fresh = join(folder, `${name}.${process.pid}`)
  await writeFile(fresh, code, { mode: 0o600 })
  await rename(fresh, join(folder, name))
  for (const other of await readdir(folder))
    if (other.startsWith(PREFIX) && other !== name) await rm(join(folder, other), { force: true })
}

async function sourceHash(): Promise<string> {
  const hash = createHash('sha256')
  const sdk = createRequire(import.meta.url).resolve('@temporalio/worker/package.json')
  hash.update(await readFile(sdk))
  for (const folder of FOLDERS) {
    const names = (await readdir(join(ROOT, folder), { recursive: true }))
      .filter((name) => /\.[tj]s$/.test(name))
      .sort()
    const texts = await Promise.all(names.map((name) => readFile(join(ROOT, folder, name))))
    names.forEach((name, index) => {
      hash.update(`\0${folder}/${name}\0`).update(texts[index]!)
    })
  }
  return hash.digest('hex').slice(0, 32)
}
