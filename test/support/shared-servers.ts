import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleWorkflowCode } from '@temporalio/worker'
import { type Child, startChild, untilReady } from '../../src/embedded/process/child.ts'
import { temporalBinary } from '../../src/embedded/temporal/find-binary.ts'
import { freePort, LOOPBACK, portAnswers } from '../../src/lib/ports.ts'
import { progressTo } from '../../src/lib/progress.ts'
import { BUNDLED } from '../../src/temporal/bundle.ts'
import { SEARCH_ATTRIBUTES } from '../../src/temporal/search-attributes.ts'

const START_TIMEOUT_MS = 60_000

/**
 * What costs seconds and is the same for every test file, made once when the first one asks: `/temporal` answers the
 * address of a real dev server in memory, `/bundle` the path of the bundled workflows.
 */
export async function shareServers(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'pricetape-suite-'))
  let temporal: Promise<{ server: Child; address: string }> | undefined
  let bundle: Promise<string> | undefined
  const answers: Record<string, () => Promise<string>> = {
    '/temporal': async () => {
      temporal ??= startDevServer()
      return (await temporal).address
    },
    '/bundle': () => {
      bundle ??= writeBundle(folder)
      return bundle
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
      await rm(folder, { recursive: true, force: true })
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
  if (!(await untilReady(server, () => portAnswers(port), START_TIMEOUT_MS)))
    throw new Error(`the Temporal dev server did not start: ${server.lines.slice(-5).join(' ')}`)
  return { server, address: `${LOOPBACK}:${port}` }
}

async function writeBundle(folder: string): Promise<string> {
  const { code } = await bundleWorkflowCode(BUNDLED)
  const path = join(folder, 'workflow-bundle.js')
  await writeFile(path, code)
  return path
}
