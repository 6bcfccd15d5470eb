/** A process that renders a page until it is killed, or says how it would render. */
import { findChromium, strictestLaunch } from '../../../src/collectors/fetch/find-browser.ts'

const warnings: string[] = []
const log = { warn: (text: string) => warnings.push(text) } as unknown as Parameters<typeof strictestLaunch>[1]
const launch = await strictestLaunch(findChromium()!, log)
await strictestLaunch(findChromium()!, log)
if (process.argv[2] === 'ask') {
  console.log(JSON.stringify({ withoutNetwork: launch.withoutNetwork, warnings }))
} else {
  const { chromium } = await import('playwright-core')
  const { executablePath, env, chromiumSandbox } = launch
  const server = await chromium.launchServer({ executablePath, env, chromiumSandbox, host: '127.0.0.1' })
  const browser = await chromium.connect(server.wsEndpoint())
  await browser.newPage()
  console.log(server.process().pid)
}
