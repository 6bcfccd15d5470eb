import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, NO_SOURCES, newcomer, type StartedInstallation, untilGone } from '../../support/installation.ts'
import { childrenOf } from '../../support/servers/processes.ts'
import { lacks } from '../../support/suite/needs.ts'

const PARTS = {
  PostgreSQL: '/bin/postgres -D',
  Temporal: 'server start-dev',
  'The preparation of the database': '--role migrate',
  'The API': '--role api',
  'The worker': '--role worker',
}
type Part = keyof typeof PARTS
const NAMES = Object.keys(PARTS) as Part[]
const READY_WITHIN_MS = 120_000

describe.skipIf(lacks('Linux'))('A start whose processes are killed before they are ready (needs Linux)', () => {
  let here: Awaited<ReturnType<typeof newcomer>>
  let running: StartedInstallation
  const killed: Part[] = []

  /** Kills the first process of each part as soon as it is there, and a part whose predecessor was killed too. */
  beforeAll(async () => {
    here = await newcomer()
    running = await launch('src/main.js', [], { ...here.env, PRICETAPE_SOURCES: NO_SOURCES })
    const deadline = Date.now() + READY_WITHIN_MS
    while (!running.said().includes('Ctrl-C') && Date.now() < deadline && running.process.exitCode === null) {
      for (const { pid, command } of await childrenOf(running.process.pid!)) {
        const part = NAMES.find((name) => command.includes(PARTS[name]) && !command.startsWith('/bin/sh'))
        if (!part || killed.includes(part)) continue
        process.kill(pid, 'SIGKILL')
        killed.push(part)
      }
      await sleep(20)
    }
  })
  afterAll(async () => {
    await running.stop('SIGKILL')
    expect(await untilGone(here.folder)).toEqual([])
    await here.remove()
  })

  it.each(NAMES)('starts %s again when it is killed before it is ready, and says so in one line', (part) => {
    expect(killed).toContain(part)
    expect(running.said()).toMatch(new RegExp(`${part} ended \\(SIGKILL.*\\)\\. It is started again in 0\\.5 s\\.`))
  })

  it('becomes ready, answers, and shows no one a stack trace', async () => {
    expect(running.said()).toContain('Pricetape is ready')
    expect((await fetch(`http://127.0.0.1:${here.env.PORT}/readyz/reads`)).status).toBe(200)
    expect(running.said()).not.toMatch(/^\s+at .+:\d+/m)
    expect(JSON.parse(await readFile(join(here.data, 'running.json'), 'utf8')).pid).toBe(running.process.pid)
  })
})
