import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Connection } from '@temporalio/client'
import { type Child, startChild, untilReady } from '../../../src/embedded/process/child.ts'
import { run } from '../../../src/embedded/process/run-program.ts'
import { temporalBinary } from '../../../src/embedded/temporal/find-binary.ts'
import { freePort, LOOPBACK } from '../../../src/lib/ports.ts'
import { progressTo } from '../../../src/lib/process/progress.ts'
import { SEARCH_ATTRIBUTES } from '../../../src/temporal/search-attributes.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** Less than a hook may take, so that the message says what hangs. A build takes 90 seconds on two cores with a load of 28. */
const TIMEOUT_MS = 280_000

/**
 * What costs seconds and is the same for every test file, made once when the first one needs it: `/temporal` returns the
 * address of a real dev server in memory, `/bundle` the file of the bundled workflows, `/compiled` the folder of what
 * `npm run build` makes. The bundle takes seconds where the build compiles everything.
 */
export async function shareServers(): Promise<{ url: string; stop: () => Promise<void> }> {
  // Inside the repository, so that the packages are found from it.
  const folder = join(ROOT, `.cache/compiled-${process.pid}`)
  let temporal: Promise<{ server: Child; address: string }> | undefined
  let bundle: Promise<string> | undefined
  let compiled: Promise<string> | undefined
  const answers: Record<string, () => Promise<string>> = {
    '/temporal': async () => {
      temporal ??= startDevServer()
      return (await temporal).address
    },
    '/bundle': () => {
      bundle ??= bundleWorkflows(`${folder}-workflows`)
      return bundle
    },
    '/compiled': () => {
      compiled ??= build(folder)
      return compiled
    },
  }
  const http = createServer((request, response) => {
    const answer = answers[request.url ?? '']
    if (!answer) return response.writeHead(404).end()
    return answer().then(
      (text) => response.end(text),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  const port = await freePort()
  await new Promise<void>((done) => http.listen(port, LOOPBACK, done))
  return {
    url: `http://${LOOPBACK}:${port}`,
    stop: async () => {
      http.closeAllConnections()
      http.close()
      await (await temporal)?.server.stop()
      for (const made of [folder, `${folder}-workflows`]) await rm(made, { recursive: true, force: true })
    },
  }
}

async function startDevServer(): Promise<{ server: Child; address: string }> {
  const settings = { binary: process.env.PRICETAPE_TEMPORAL_BINARY, cacheDir: process.env.PRICETAPE_CACHE_DIR }
  const binary = await temporalBinary(settings, progressTo(process.stderr))
  const port = await freePort()
  const attributes = SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`])
  const args = ['server', 'start-dev', '--headless', '--ip', LOOPBACK, '--port', String(port), '--log-level', 'error']
  const server = await startChild(binary, [...args, ...attributes], { stop: [['SIGKILL', 1_000]] })
  if (!(await untilReady(server, () => isHealthy(`${LOOPBACK}:${port}`), TIMEOUT_MS)))
    throw new Error(`the Temporal dev server did not start: ${server.lines.slice(-5).join(' ')}`)
  return { server, address: `${LOOPBACK}:${port}` }
}

/** A dev server accepts connections a moment before its frontend answers calls. */
async function isHealthy(address: string): Promise<boolean> {
  const connection = await Connection.connect({ address, connectTimeout: 1_000 }).catch(() => undefined)
  await connection?.close()
  return connection !== undefined
}

async function build(folder: string): Promise<string> {
  const args = ['run', 'build', '--', folder]
  const { ok, output } = await run('npm', args, { cwd: ROOT, timeoutMs: TIMEOUT_MS })
  if (!ok) throw new Error(`npm run build failed: ${output.slice(-2_000)}`)
  return folder
}

async function bundleWorkflows(folder: string): Promise<string> {
  const script = join(import.meta.dirname, '../code/bundle-workflows.ts')
  const args = ['--import', 'tsx', script, folder]
  const { ok, output } = await run(process.execPath, args, { cwd: ROOT, timeoutMs: TIMEOUT_MS })
  if (!ok) throw new Error(`The workflows could not be bundled: ${output.slice(-2_000)}`)
  return output.trim().split('\n').at(-1)!
}
