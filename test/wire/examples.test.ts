import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { newSecret, signedHeaders } from '../../src/webhooks/attempts/signing.ts'
import { freePort } from '../support/servers/ports.ts'
import { goProgram, python } from './toolchains.ts'

const example = (path: string) => fileURLToPath(new URL(`../../examples/receivers/${path}`, import.meta.url))
const [secret, next, stranger] = [newSecret(), newSecret(), newSecret()]
const client = createSafeFetch({ allowPrivate: true })
afterAll(() => client.close())

type Command = { command: string; args: string[]; env?: NodeJS.ProcessEnv }
const EXAMPLES: [string, () => Promise<Command>][] = [
  [
    'TypeScript',
    async () => ({ command: process.execPath, args: ['--import', 'tsx', example('typescript/receiver.ts')] }),
  ],
  ['Python', async () => ({ ...(await python()), args: [example('python/receiver.py')] })],
  ['Go', async () => ({ command: await goProgram(example('go')), args: [] })],
]

describe.each(EXAMPLES)('the %s example receiver', (_language, prepare) => {
  let child: ChildProcess
  let url = ''
  let printed = ''

  beforeAll(async () => {
    const { command, args, env = process.env } = await prepare()
    const port = await freePort()
    url = `http://127.0.0.1:${port}/hooks`
    child = spawn(command, args, {
      env: { ...env, WEBHOOK_SECRET: `${secret} ${next}`, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child.stdout?.on('data', (text) => {
      printed += text
    })
    await listening(port)
    return async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    }
  })

  async function send(id: string, over: { secrets?: string[]; sent?: string; at?: number } = {}) {
    const body = JSON.stringify({ version: 'price-change.v1', type: 'price.changed.openai', id, text: 'Grüße 🎏' })
    const headers = signedHeaders({ id, secrets: over.secrets ?? [secret], at: over.at ?? Date.now(), body })
    const outcome = await client.post(url, { headers, body: over.sent ?? body })
    return outcome.kind === 'answer' ? outcome.status : outcome
  }

  test('takes a delivery, and processes it once however often it comes', async () => {
    for (let i = 0; i < 3; i++) expect(await send('evt_1')).toBe(204)
    const lines = printed.split('\n').filter((line) => line.endsWith('evt_1'))
    expect(lines).toEqual(['price.changed.openai evt_1'])
  })

  test('takes either key of a rotation, alone or beside the other', async () => {
    expect(await send('evt_2', { secrets: [next] })).toBe(204)
    expect(await send('evt_3', { secrets: [next, secret] })).toBe(204)
    expect(await send('evt_4', { secrets: [stranger, next] })).toBe(204)
  })

  test('refuses a strange key, a changed body and an old timestamp', async () => {
    expect(await send('evt_5', { secrets: [stranger] })).toBe(400)
    expect(await send('evt_5', { sent: '{"type":"price.changed.openai","id":"evt_5"}' })).toBe(400)
    expect(await send('evt_5', { at: Date.now() - 301_000 })).toBe(400)
    const strange = ['', 'garbage', 'v1', 'v1,', 'v1,,', 'v1,%%% v2,x', 'v1,AAAA  v1,AAAA']
    for (const signature of [undefined, ...strange]) {
      const headers = { ...signedHeaders({ id: 'evt_5', secrets: [secret], at: Date.now(), body: '{}' }) }
      if (signature === undefined) delete headers['webhook-signature']
      else headers['webhook-signature'] = signature
      expect([signature, await client.post(url, { headers, body: '{}' })]).toMatchObject([signature, { status: 400 }])
    }
    expect(printed).not.toContain('evt_5')
  })
})

async function listening(port: number) {
  for (let tries = 0; tries < 200; tries++) {
    const socket = connect(port, '127.0.0.1')
    const open = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (open) return
    await sleep(50)
  }
  throw new Error('the example did not start')
}
