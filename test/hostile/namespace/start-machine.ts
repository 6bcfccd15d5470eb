import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { PostOutcome } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import { namespaceOptions } from '../../support/servers/network-namespace.ts'
import { certificateFor, testAuthority } from '../../support/servers/tls.ts'
import { outcomeOf } from '../support.ts'
import type { Client, Order, Setup } from './machine.ts'

/**
 * A process of ours in a network of its own, beside an internet of test servers (`internet.ts`). The namespaces end with
 * their processes, and those end with this one, so nothing is left to clean up.
 */
export async function startMachine() {
  const child = fork(fileURLToPath(new URL('machine.ts', import.meta.url)), [], {
    execPath: 'unshare',
    execArgv: [...(namespaceOptions() ?? []), process.execPath, '--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  let stderr = ''
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let count = 0
  child.on('message', ({ id, result }: { id: number; result: unknown }) => waiting.get(id)?.resolve(result))
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the process ended with status ${code}: ${stderr}`))
  })
  const answerTo = (id: number) =>
    new Promise<unknown>((resolve, reject) => {
      if (child.exitCode !== null) reject(new Error(`the process has ended: ${stderr}`))
      waiting.set(id, { resolve, reject })
    }).finally(() => waiting.delete(id))
  function order(what: Omit<Order, 'id'>): Promise<unknown> {
    const id = ++count
    child.send({ ...what, id })
    return answerTo(id)
  }
  const authority = testAuthority()
  const setup: Setup = { ca: authority.ca, certificate: certificateFor(authority, ['*.example.com']) }
  child.send(setup)
  await answerTo(0)
  return {
    post: (url: string, client: Client = 'internet') =>
      outcomeOf(() => order({ do: 'post', with: url, client }) as Promise<PostOutcome>),
    get: (url: string) => order({ do: 'get', with: url }),
    ip: (command: string) => order({ do: 'ip', with: command }),
    /** Makes the network what it was at first, with clients that have no connection open. */
    reset: (ipv6 = true) => order({ do: 'reset', with: '', ipv6 }),
    write: (path: string, text: string) => order({ do: 'write', with: path, text }),
    async stop() {
      if (child.exitCode !== null) return
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
