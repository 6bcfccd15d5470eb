import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { OperatorError } from '../../lib/errors.ts'
import type { Progress } from '../../lib/process/progress.ts'
import { cacheFolder } from '../process/cache-folder.ts'
import { findProgram, isExecutable, run } from '../process/run-program.ts'
import { buildTemporal, TEMPORAL_CLI_VERSION } from './build-binary.ts'
import { downloadTemporal } from './download-binary.ts'

const VERSION_TIMEOUT_MS = 20_000

export type BinarySettings = { binary?: string; cacheDir?: string; offline?: boolean }

/**
 * The Temporal CLI: the one a setting names, else on PATH, else in our cache, else downloaded, else built with Go.
 * @throws OperatorError saying what to do where no way is left.
 */
export async function temporalBinary(settings: BinarySettings, progress: Progress): Promise<string> {
  if (settings.binary) return named(resolve(settings.binary))
  const found = await findTemporal(settings)
  if (found) return found
  const cache = cacheFolder(settings.cacheDir)
  await mkdir(cache, { recursive: true })
  progress.say('Temporal is not on this machine yet: getting its command-line program, once.')
  const binary = (await downloadTemporal(cache, progress)) ?? (await buildTemporal(cache, progress))
  const problem = await temporalProblem(binary)
  if (problem)
    throw new OperatorError(`The Temporal program at ${binary} does not run (${problem}). Delete it and start again.`)
  return binary
}

/** A working Temporal CLI on PATH or in our cache. */
export async function findTemporal(settings: BinarySettings): Promise<string | undefined> {
  const onPath = await findProgram('temporal')
  if (onPath && (await temporalProblem(onPath)) === undefined) return onPath
  for (const name of [`temporal-${TEMPORAL_CLI_VERSION}`, 'temporal-downloaded']) {
    const cached = join(cacheFolder(settings.cacheDir), name)
    if ((await isExecutable(cached)) && (await temporalProblem(cached)) === undefined) return cached
  }
  return undefined
}

async function named(binary: string): Promise<string> {
  const problem = await temporalProblem(binary)
  if (problem === undefined) return binary
  throw new OperatorError(
    `PRICETAPE_TEMPORAL_BINARY names ${binary}, which is not a working Temporal CLI (${problem}). Correct the setting or leave it out.`,
  )
}

/** Runs the program. Returns what is wrong with it, or undefined. */
export async function temporalProblem(binary: string): Promise<string | undefined> {
  const { ok, output } = await run(binary, ['--version'], { timeoutMs: VERSION_TIMEOUT_MS })
  if (ok && /temporal version/i.test(output)) return undefined
  return output.split('\n')[0]?.slice(0, 200) || 'it did not answer --version'
}
