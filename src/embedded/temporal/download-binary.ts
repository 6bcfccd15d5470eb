import { lookup } from 'node:dns/promises'
import { chmod, copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { portAnswers } from '../../lib/ports.ts'
import { codeFile } from '../../lib/process/code-file.ts'
import { programArguments } from '../../lib/process/program-file.ts'
import type { Progress } from '../../lib/process/progress.ts'
import { networkEnvironment } from '../process/environment.ts'
import { run } from '../process/run-program.ts'

const HOST = 'temporal.download'
const REACH_TIMEOUT_MS = 4_000
const DOWNLOAD_TIMEOUT_MS = 180_000
const FETCHER = codeFile(import.meta.url, './sdk-download')

/** Downloads the Temporal CLI with the SDK's own downloader; undefined where its host cannot be reached. */
export async function downloadTemporal(cache: string, progress: Progress): Promise<string | undefined> {
  if (!(await downloadsReachable())) {
    progress.say(`  ${HOST} cannot be reached from here.`)
    return undefined
  }
  const folder = join(cache, `download-${process.pid}`)
  await mkdir(folder, { recursive: true })
  try {
    progress.say(`  downloading it from ${HOST}`)
    const args = [...programArguments(FETCHER), folder]
    const { ok } = await run(process.execPath, args, { timeoutMs: DOWNLOAD_TIMEOUT_MS, env: networkEnvironment() })
    const [file] = ok ? await readdir(folder) : []
    if (!file) {
      progress.say('  that download did not succeed.')
      return undefined
    }
    const target = join(cache, 'temporal-downloaded')
    await copyFile(join(folder, file), `${target}.new`)
    await chmod(`${target}.new`, 0o755)
    await rename(`${target}.new`, target)
    return target
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Whether the SDK's download host accepts connections, decided within a few seconds. */
export async function downloadsReachable(): Promise<boolean> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, REACH_TIMEOUT_MS, undefined).unref())
  const address = await Promise.race([lookup(HOST).catch(() => undefined), late])
  return address !== undefined && portAnswers(443, address.address, REACH_TIMEOUT_MS)
}
