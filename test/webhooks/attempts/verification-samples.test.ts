import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newSecret, signedHeaders } from '../../../src/webhooks/attempts/signing.ts'
import { freePort } from '../../support/servers/ports.ts'
import { lacks } from '../../support/suite/needs.ts'

const SAMPLES = join(import.meta.dirname, '../../../src/web/pages/verify/samples')
const RECEIVERS = [
  { language: 'node', file: 'receiver.mjs', run: ['node'], needs: 'Node.js' },
  { language: 'python', file: 'receiver.py', run: ['python3'], needs: 'Python 3.9' },
  { language: 'go', file: 'receiver.go', run: ['go', 'run'], needs: 'Go' },
  { language: 'java', file: 'Receiver.java', run: ['java'], needs: 'Java' },
] as const
const PATH = '/hooks/prices'
const STARTS_WITHIN_MS = 100_000

const secret = newSecret()
const body = '{"type":"price.changed","id":"evt_1","name":"modèle"}'
const headersAt = (at: number, secrets = [secret]) => signedHeaders({ id: 'evt_1', secrets, at, body })

describe('the receivers that the app shows', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pricetape-samples-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  /** The sample as the app shows it for a webhook with this path. */
  async function write(language: string, file: string): Promise<string> {
    const code = await readFile(join(SAMPLES, `${language}.txt`), 'utf8')
    const path = join(folder, file)
    await writeFile(path, code.replace(/\bPATH\b/g, JSON.stringify(PATH)))
    return path
  }

  for (const { language, file, run, needs } of RECEIVERS) {
    it.skipIf(lacks(needs))(
      `in ${language} takes what we sign and refuses everything else (needs ${needs})`,
      { timeout: STARTS_WITHIN_MS },
      async () => {
        const port = await freePort()
        const [program, ...args] = [...run, await write(language, file)]
        const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) }
        // A process group of its own: go run starts the receiver as another process.
        const child = spawn(program!, args, { env, detached: true, stdio: 'ignore' })
        try {
          const send = (headers: Record<string, string>, sent = body, path = PATH) =>
            fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: sent })
          for (;;) {
            if (child.exitCode !== null) throw new Error(`${program} ended`)
            if (await send({}).catch(() => undefined)) break
            await sleep(50)
          }
          const now = Date.now()
          const statuses = await Promise.all([
            send(headersAt(now)),
            send(headersAt(now, [newSecret(), secret])),
            send(headersAt(now), `${body} `),
            send(headersAt(now, [newSecret()])),
            send(headersAt(now - 301_000)),
            send(headersAt(now + 302_000)),
            send({ ...headersAt(now), 'webhook-timestamp': 'now' }),
            send({}),
          ])
          expect(statuses.map(({ status }) => status)).toEqual([204, 204, 401, 401, 401, 401, 401, 401])
        } finally {
          process.kill(-child.pid!, 'SIGKILL')
          await once(child, 'close')
        }
      },
    )
  }

  it('listen on port 3000 where PORT says nothing, as the page says', async () => {
    for (const { language } of RECEIVERS)
      expect(await readFile(join(SAMPLES, `${language}.txt`), 'utf8'), language).toMatch(
        /PORT.*\b3000\b|port = "3000"/s,
      )
  })

  it('in the shell says whether a saved request verifies', async () => {
    const script = await write('shell', 'verify.sh')
    const saved = join(folder, 'body.json')
    await writeFile(saved, body)
    const verify = async (headers: Record<string, string>): Promise<boolean> => {
      const given = ['id', 'timestamp', 'signature'].map((name) => headers[`webhook-${name}`]!)
      const env = { ...process.env, WEBHOOK_SECRET: secret }
      return promisify(execFile)('sh', [script, ...given, saved], { env }).then(
        () => true,
        () => false,
      )
    }
    expect(await verify(headersAt(Date.now()))).toBe(true)
    expect(await verify(headersAt(Date.now(), [newSecret(), secret]))).toBe(true)
    expect(await verify(headersAt(Date.now() - 302_000))).toBe(false)
    await writeFile(saved, `${body}\n`)
    expect(await verify(headersAt(Date.now()))).toBe(false)
  })
})
