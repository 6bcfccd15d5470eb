import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { namespaceOptions } from '../support/servers/network-namespace.ts'
import { lacks } from '../support/suite/needs.ts'
import type { Mode, Result } from './rendering/machine.ts'
import { SILENT } from './rendering/site.ts'

/**
 * One page uses everything of a browser that sends UDP, TCP or DNS, against loopback, private and public addresses and
 * against names. In its network every address is a trap, and the kernel counts what is sent past them.
 */
describe.skipIf(lacks('network namespaces'))('a hostile page that is rendered (needs network namespaces)', () => {
  let machine: ReturnType<typeof fork>
  let probes: string[]
  const order = async <T>(what: Mode | 'start'): Promise<T> => {
    machine.send(what)
    const [answer] = await Promise.race([once(machine, 'message'), once(machine, 'exit')])
    return answer
  }
  beforeAll(async () => {
    machine = fork(fileURLToPath(new URL('rendering/machine.ts', import.meta.url)), [], {
      execPath: 'unshare',
      execArgv: [...(namespaceOptions() ?? []), '--mount', process.execPath, '--import', 'tsx'],
    })
    probes = await order('start')
  })
  afterAll(async () => {
    machine.disconnect()
    if (machine.exitCode === null) await once(machine, 'exit')
  })

  it('reaches every trap from a browser that nothing protects', async () => {
    const { arrived } = await order<Result>('unprotected')
    expect(probes.filter((probe) => !arrived.probes.includes(probe) && !SILENT.has(probe))).toEqual([])
    expect(arrived.datagrams).toBeGreaterThan(50)
    expect(arrived.connections).toBeGreaterThan(50)
  })

  it.each(['settings', 'namespace'] as const)(
    'reaches nothing but our own client, which checks addresses: %s',
    async (mode) => {
      const { arrived, text, requested, withoutNetwork } = await order<Result>(mode)
      expect(withoutNetwork).toBe(mode === 'namespace')
      // The one connection is ours to Playwright.
      expect(arrived).toEqual({ probes: [], names: [], datagrams: 0, connections: 1 })
      expect(text).toContain('<main>The terms.</main>')
      expect(requested).toContain('http://127.0.0.1:8080/')
      expect(requested.length).toBeGreaterThan(30)
    },
  )
})
