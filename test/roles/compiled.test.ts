import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { launch, newcomer, processesOn, startUntilReady } from '../support/installation.ts'
import { connectMcp } from '../support/mcp.ts'

const run = promisify(execFile)
const CHECKED_WITHIN_MS = 90_000
/** It starts a whole installation and waits for its first check: about 25 s at rest. */
const START_AND_CHECK_MS = 240_000

it('runs as compiled JavaScript: imports, checks, answers, and the API rests within 150 MB', {
  timeout: START_AND_CHECK_MS,
}, async () => {
  const at = await newcomer()
  const started = await startUntilReady(at.env)
  try {
    const url = `http://127.0.0.1:${at.env.PORT}`
    const roles = (await processesOn(at.folder)).filter((line) => line.includes('--role'))
    expect(roles.map((line) => line.replace(/.*--role (\w+).*/, '$1')).sort()).toEqual(['api', 'worker'])
    for (const line of roles) expect(line).toMatch(/compiled-\d+\/src\/main\.js/)
    for (const line of roles) expect(line).not.toContain('tsx')

    const [pid] = roles.find((line) => line.includes('--role api'))!.split(' ')
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', pid!])
    expect(Number(stdout) / 1_024).toBeLessThanOrEqual(150)
    // Native libraries that only a worker or a loader needs would show among the files it has mapped.
    expect(await readFile(`/proc/${pid}/maps`, 'utf8').catch(() => '')).not.toMatch(/temporal|esbuild/)

    const created = await launch('src/cli/main.js', ['key', 'create', '--name', 'test', '--json'], at.env)
    expect(await created.exited).toBe(0)
    const { key } = JSON.parse(created.said()) as { key: string }
    const read = (path: string) => fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
    const page = await read('/v1/prices/history?providers=openai&asOf=2026-08-01T00:00:00Z&limit=2')
    expect(await page.json()).toMatchObject({ prices: [{ provider: 'openai' }, { provider: 'openai' }] })

    // Without an address the MCP server asks this installation, with one key for all its starts.
    const settings = { PRICETAPE_DATA_DIR: at.data }
    const keys: string[] = []
    for (let start = 1; start <= 2; start++) {
      const mcp = await connectMcp(settings)
      expect(await mcp.call('price_at', { resource: 'gpt-5', provider: 'openai', at: '2025-12' })).toMatchObject({
        isError: false,
        data: { asOf: '2025-12-31T23:59:59.999Z' },
      })
      await mcp.client.close()
      keys.push(await readFile(join(at.data, 'mcp-key'), 'utf8'))
    }
    expect(keys[0]).toBe(keys[1])
    expect((await stat(join(at.data, 'mcp-key'))).mode & 0o777).toBe(0o600)

    // The worker's bundled workflows and isolated readers have worked when a check has finished.
    const deadline = Date.now() + CHECKED_WITHIN_MS
    while ((await read('/readyz')).status !== 200 && Date.now() < deadline) await sleep(250)
    expect(await (await read('/readyz')).json()).toMatchObject({ status: 'ready' })
  } finally {
    await started.stop()
    await at.remove()
  }
})
