/** A process in a network of its own, where every address is this machine. It renders one page with every probe. */
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { withBrowser } from '../../../src/collectors/fetch/browser.ts'
import { bareLaunch, findChromium, type Launch, strictestLaunch } from '../../../src/collectors/fetch/find-browser.ts'
import { renderIn } from '../../../src/collectors/fetch/render-page.ts'
import type { GetOutcome } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import { PAGE, SILENT, type Site, site } from './site.ts'
import { type Arrivals, makeNetwork, setTraps } from './traps.ts'

/** Without protection; by the browser's settings alone; without a network. */
export type Mode = 'unprotected' | 'settings' | 'namespace'
export type Result = { arrived: Arrivals; requested: string[]; text: string; withoutNetwork?: boolean }

const BASE_PORT = 20_000
/** The control waits until every probe has arrived, which takes seconds; a busy machine takes longer. */
const CONTROL_MS = 60_000
/** What a busy browser dropped is sent again when the page is opened again. */
const AGAIN_MS = 10_000
const POLL_MS = 100
const browser = findChromium()!

/** The page in a browser that nothing protects: what is not silent here would be noticed. */
async function visit({ answers }: Site, missing: () => string[]) {
  const server = createServer(({ url }, response) => {
    const [type, body, headers] = answers.get(url!) ?? ['text/plain', '']
    response.writeHead(answers.has(url!) ? 200 : 404, { 'content-type': type, ...headers }).end(body)
  })
  await new Promise<void>((done) => server.listen(Number(new URL(PAGE).port), '127.0.0.1', done))
  const open = await chromium.launch({
    executablePath: browser,
    args: ['--disable-features=LocalNetworkAccessChecks'],
    chromiumSandbox: false,
  })
  const page = await open.newPage()
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await page.goto(PAGE)
  const deadline = performance.now() + CONTROL_MS
  let againAt = performance.now() + AGAIN_MS
  while (missing().some((title) => !SILENT.has(title)) && performance.now() < deadline) {
    await sleep(POLL_MS)
    if (performance.now() < againAt) continue
    await page.reload()
    againAt = performance.now() + AGAIN_MS
  }
  const text = await page.content()
  await open.close()
  server.closeAllConnections()
  server.close()
  return { requested, text }
}

async function render({ answers }: Site, launch: Launch) {
  const requested: string[] = []
  const get = async (url: string): Promise<GetOutcome> => {
    requested.push(url)
    const { origin, pathname } = new URL(url)
    const answer = `${origin}/` === PAGE ? answers.get(pathname) : undefined
    if (!answer) return { kind: 'failed', reason: 'private_address', message: 'not public', durationMs: 1 }
    const [type, body, headers] = answer
    const bytes = Buffer.from(body)
    return { kind: 'answer', status: 200, headers: { ...headers, 'content-type': type }, bytes, url, durationMs: 1 }
  }
  const { signal } = new AbortController()
  const page = await withBrowser(launch, { signal }, (endpoint) => renderIn(endpoint, { get, url: PAGE, signal }))
  const text = page.kind === 'page' ? page.html : page.problem
  return { requested, text, withoutNetwork: launch.withoutNetwork }
}

process.once('message', async () => {
  await makeNetwork()
  const probes = site(BASE_PORT)
  const { arrived, missing } = await setTraps(probes)
  process.on('message', async (mode: Mode) => {
    const launch = mode === 'namespace' ? await strictestLaunch(browser) : bareLaunch(browser)
    const done = await (mode === 'unprotected' ? visit(probes, missing) : render(probes, launch))
    process.send?.({ ...done, arrived: await arrived() } satisfies Result)
  })
  process.send?.([...probes.targets.keys()])
})
process.on('disconnect', () => process.exit())
