import { pino } from 'pino'
import { expect, it } from 'vitest'
import { monitorSupervisor, type SupervisorState } from '../../src/embedded/monitor-supervisor.ts'
import { readConfig } from '../../src/lib/config.ts'
import { freePort } from '../support/servers/ports.ts'

it('npm start is ready once everything was started, and while every process runs', async () => {
  const port = await freePort()
  // The API and the worker have the two ports before.
  const config = readConfig({ PRICETAPE_METRICS_PORT: String(port - 2) })
  const supervised: SupervisorState = { kept: new Map(), started: false }
  await using _monitoring = await monitorSupervisor(config, pino({ level: 'silent' }), supervised)
  const readyz = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
    const { error } = (await answer.json()) as { error?: { message: string } }
    return [answer.status, error?.message]
  }
  expect(await readyz()).toEqual([503, 'It is starting.'])
  const states = { postgresql: { up: true, restarts: 0 }, api: { up: true, restarts: 0 } }
  for (const [name, state] of Object.entries(states)) supervised.kept.set(name, { status: () => state })
  expect(await readyz()).toEqual([503, 'It is starting.'])
  supervised.started = true
  expect(await readyz()).toEqual([200, undefined])
  states.api.up = false
  expect(await readyz()).toEqual([503, 'Not running: api.'])
})
