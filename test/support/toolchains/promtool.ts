import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cacheFolder } from '../../../src/embedded/process/cache-folder.ts'
import { findProgram, run } from '../../../src/embedded/process/run-program.ts'
import { progressTo } from '../../../src/lib/process/progress.ts'

const DOWNLOAD_WITHIN_MS = 2 * 60_000
const cached = (): string => join(cacheFolder(process.env.PRICETAPE_CACHE_DIR), 'promtool')

/** How promtool is called here; Debian's package `prometheus` brings it. */
export const promtool = (): string => process.env.PRICETAPE_PROMTOOL || (existsSync(cached()) ? cached() : 'promtool')

/**
 * Takes promtool out of Debian's package, once: 19 MB, without the server that the package starts. Where that does not work,
 * for example without a network, the tests that need it are skipped.
 */
export async function bringPromtool(): Promise<void> {
  if (process.env.PRICETAPE_PROMTOOL || existsSync(cached())) return
  if ((await findProgram('promtool')) || !(await findProgram('apt-get'))) return
  progressTo(process.stderr).say('The tests need promtool: taking it out of Debian’s package prometheus.')
  const folder = await mkdtemp(join(tmpdir(), 'pricetape-promtool-'))
  const options = { cwd: folder, env: process.env, timeoutMs: DOWNLOAD_WITHIN_MS }
  const download = async () => (await run('apt-get', ['download', '-q', 'prometheus'], options)).ok
  try {
    const isThere = (await download()) || ((await run('apt-get', ['update', '-q'], options)).ok && (await download()))
    const [file] = await readdir(folder)
    if (!isThere || !file || !(await run('dpkg-deb', ['-x', file, folder], options)).ok) return
    const fresh = `${cached()}.${process.pid}`
    await mkdir(join(cached(), '..'), { recursive: true })
    await copyFile(join(folder, 'usr/bin/promtool'), fresh)
    await rename(fresh, cached())
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
