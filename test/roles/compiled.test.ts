import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { launch, newcomer, processesOn, startUntilReady } from '../support/installation.ts'
import { connectMcp } from '../support/mcp.ts'
import { freePort } from '../support/ports.ts'

const run = promisify(execFile)
const CHECKED_WITHIN_MS = 90_000
/** It starts a whole installation and waits for its first check: about 25 s at rest. */
const START_AND_CHECK_MS = 240_000

it('runs as compiled JavaScript: imports, checks, answers, and the API rests within 150 MB', {
  timeout: START_AND_CHECK_MS,
}, async () => {
  const at = await newcomer()
  const metricsPort = await freePort()
  at.env.PRICETAPE_METRICS_PORT = String(metricsPort)
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

    // Each process answers scrapers and probes on a port of its own, and the API's port has none of it.
    const [apiAt, workerAt, supervisorAt] = [0, 1, 2].map((after) => `http://127.0.0.1:${metricsPort + after}`)
    for (const [address, role] of [
      [apiAt, 'api'],
      [workerAt, 'worker'],
      [supervisorAt, undefined],
    ] as const) {
      for (const path of ['/healthz', '/readyz'])
        expect([path, (await fetch(`${address}${path}`)).status]).toEqual([path, 200])
      const metrics = await (await fetch(`${address}/metrics`)).text()
      if (role) expect(metrics).toMatch(new RegExp(`pricetape_build_info{version="[^"]+",role="${role}"} 1`))
    }
    const ofWorker = await (await fetch(`${workerAt}/metrics`)).text()
    expect(ofWorker).toMatch(/^pricetape_checks_total\{result="ok"\} [1-9]/m)
    expect(ofWorker).toMatch(/^pricetape_condition\{code="no_recent_check",severity="not_ready"\} 0$/m)
    expect(ofWorker).toMatch(/^temporal_workflow_completed_total\{.*workflow_type="check".*\} [1-9]/m)
    expect(ofWorker).toMatch(/^nodejs_eventloop_lag_seconds /m)
    expect(await (await fetch(`${supervisorAt}/metrics`)).text()).toMatch(
      /^pricetape_process_up\{process="worker"\} 1$/m,
    )
    expect((await read('/metrics')).status).toBe(404)
  } finally {
    await started.stop()
    await at.remove()
  }
})
