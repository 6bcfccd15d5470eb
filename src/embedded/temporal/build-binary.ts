import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../../lib/errors.ts'
import type { Progress } from '../../lib/process/progress.ts'
import { type Environment, goEnvironment } from '../process/environment.ts'
import { withFileLock } from '../process/file-lock.ts'
import { findProgram, isExecutable, run } from '../process/run-program.ts'

/** The Temporal CLI that is built where none can be downloaded: its server is 1.29.1. Newer ones cannot be built so. */
export const TEMPORAL_CLI_VERSION = '1.5.1'

const MODULE = `github.com/temporalio/cli/cmd/temporal@v${TEMPORAL_CLI_VERSION}`
/** How many packages are compiled; only for the progress line. */
const PACKAGES = 1_300
const BUILD_TIMEOUT_MS = 60 * 60_000
const BY_HAND = `Install the Temporal CLI by hand (https://docs.temporal.io/cli) and put it on PATH or name it in PRICETAPE_TEMPORAL_BINARY.`

/** Builds the Temporal CLI with Go into our cache, once for all processes that ask at the same time. */
export async function buildTemporal(cache: string, progress: Progress): Promise<string> {
  const target = join(cache, `temporal-${TEMPORAL_CLI_VERSION}`)
  return withFileLock(`${target}.lock`, 'Another process is building Temporal: waiting for it.', progress, async () => {
    if (!(await isExecutable(target))) await build(cache, target, progress)
    return target
  })
}

async function build(cache: string, target: string, progress: Progress): Promise<void> {
  const go = await findProgram('go', '/usr/local/go/bin', '/usr/lib/go/bin', '/opt/homebrew/bin')
  if (!go) throw new OperatorError(`No Temporal CLI, and no Go to build it with. ${BY_HAND}`)
  progress.say(`Building Temporal ${TEMPORAL_CLI_VERSION} with ${go}: about 5 minutes on 2 cores, this one time.`)
  progress.say(`  by hand: go install ${MODULE}`)
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'build-'))
  try {
    const started = Date.now()
    const { ok, output } = await run(go, ['install', '-v', MODULE], {
      cwd: folder,
      env: buildEnvironment(folder),
      timeoutMs: BUILD_TIMEOUT_MS,
      onLine: progressOf(progress, started),
    })
    if (!ok) throw new OperatorError(`Building Temporal failed: ${lastWords(output)}. ${BY_HAND}`)
    await rename(join(folder, 'temporal'), target)
    progress.say(`Temporal is built (${Math.round((Date.now() - started) / 1000)} s): ${target}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function buildEnvironment(folder: string): Environment {
  return {
    ...goEnvironment(),
    GOBIN: folder,
    GOFLAGS: '-mod=mod',
    GOWORK: 'off',
    GO111MODULE: 'on',
    CGO_ENABLED: '0',
    GOTOOLCHAIN: 'auto',
  }
}

function progressOf(progress: Progress, started: number): (line: string) => void {
  let downloaded = 0
  let compiled = 0
  return (line) => {
    if (line.startsWith('go: downloading')) downloaded++
    else if (/^[\w./-]+$/.test(line)) compiled++
    else return
    const seconds = Math.round((Date.now() - started) / 1000)
    const name = line.replace('go: downloading ', '')
    progress.passing(
      compiled > 0
        ? `  ${seconds} s: ${compiled} of about ${PACKAGES} packages compiled (${name})`
        : `  ${seconds} s: ${downloaded} modules downloaded (${name})`,
    )
  }
}

const lastWords = (output: string): string =>
  output
    .split('\n')
    .filter((line) => line && !/^[\w./-]+$/.test(line) && !line.startsWith('go: downloading'))
    .slice(-2)
    .join(' ')
    .slice(0, 400) || 'no reason given'
