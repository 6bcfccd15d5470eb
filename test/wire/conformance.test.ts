import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { type Capture, captureDeliveries, LARGE_BODY, UNICODE_BODY } from './captures.ts'
import { goProgram, python } from './toolchains.ts'

const run = promisify(execFile)
const VERIFIERS = fileURLToPath(new URL('./verifiers', import.meta.url))
const db = testDatabase()
let captures: Capture[] = []
const capture = (name: string) => captures.find((captured) => captured.name === name)?.request ?? fail(name)
const fail = (name: string): never => {
  throw new Error(`no capture of ${name}`)
}

/** One question to a library: these headers, this key, and whether it must say yes. */
type Check = {
  name: string
  family: string
  secret: string
  headers: Record<string, string>
  body: string
  expected: string
}
type Result = { library: string; check: string; verdict: string }

const FAMILIES: Record<string, RegExp> = { both: /^(?:webhook|svix)-/, webhook: /^webhook-/, svix: /^svix-/ }

function checksOf({ name, request, good, bad }: Capture): Check[] {
  const body = request.raw.toString('base64')
  // Hashing megabytes in three languages costs seconds; that the families are equal is seen without it.
  const families = Object.entries(FAMILIES).filter(([family]) => family === 'both' || request.raw.length < 1_000_000)
  return families.flatMap(([family, kept]) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([key]) => kept.test(key)),
    ) as Check['headers']
    const ask = (secret: string, expected: string, what: string, sent = body): Check => {
      return { name: `${name}, ${family} headers, ${what}`, family, secret, headers, body: sent, expected }
    }
    return [
      ...good.map((secret, at) => ask(secret, 'verified', `key ${at + 1}`)),
      ...bad.map((secret, at) => ask(secret, 'refused', `wrong key ${at + 1}`)),
      ask(good[0] ?? '', 'refused', 'a byte added', Buffer.concat([request.raw, Buffer.from(' ')]).toString('base64')),
    ]
  })
}

let checks: Check[] = []
let folder = ''
beforeAll(async () => {
  captures = await captureDeliveries(db.sql)
  checks = captures.flatMap(checksOf)
  folder = await mkdtemp(join(tmpdir(), 'pricetape-wire-'))
  await writeFile(join(folder, 'checks.json'), JSON.stringify(checks))
  return () => rm(folder, { recursive: true, force: true })
})

async function ask(command: string, args: string[], env = process.env): Promise<Result[]> {
  const { stdout } = await run(command, [...args, join(folder, 'checks.json')], { env, maxBuffer: 64 * 1024 * 1024 })
  return JSON.parse(stdout)
}

function expectAllRight(results: Result[], libraries: string[]) {
  const expected = new Map(checks.map((check) => [check.name, check.expected]))
  expect(results.filter(({ check, verdict }) => verdict !== expected.get(check))).toEqual([])
  for (const library of libraries) {
    const answered = results.filter((result) => result.library === library).length
    const asked = checks.filter(({ family }) => family !== 'svix' || library.includes('svix')).length
    expect([library, answered]).toEqual([library, asked])
  }
}

describe('stock libraries verify what the engine really sends, and refuse everything else', () => {
  test('npm standardwebhooks and npm svix', () => {
    const results = checks.flatMap(({ name, family, secret, headers, body }) => {
      const verdict = (verify: () => unknown) => {
        try {
          verify()
          return 'verified'
        } catch (error) {
          return (error as Error).name === 'WebhookVerificationError' ? 'refused' : String(error)
        }
      }
      const raw = Buffer.from(body, 'base64')
      const svix = {
        library: 'npm svix',
        check: name,
        verdict: verdict(() => new SvixWebhook(secret).verify(raw, headers)),
      }
      if (family === 'svix') return [svix]
      const plain = verdict(() => new Webhook(secret).verify(raw, headers))
      return [svix, { library: 'npm standardwebhooks', check: name, verdict: plain }]
    })
    expectAllRight(results, ['npm standardwebhooks', 'npm svix'])
  })

  test('PyPI standardwebhooks and PyPI svix', async () => {
    const { command, env } = await python()
    expectAllRight(await ask(command, [join(VERIFIERS, 'verify.py')], env), ['PyPI standardwebhooks', 'PyPI svix'])
  })

  test('Go standard-webhooks', async () => {
    expectAllRight(await ask(await goProgram(VERIFIERS), []), ['Go standard-webhooks'])
  })
})

describe('on the wire', () => {
  test('every delivery is a POST with exactly these headers, each once', () => {
    for (const { request } of captures) {
      const names = request.rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase())
      expect(request.method).toBe('POST')
      expect(names.sort()).toEqual([
        'accept-encoding', 'connection', 'content-length', 'content-type', 'host', 'svix-id', 'svix-signature',
        'svix-timestamp', 'user-agent', 'webhook-id', 'webhook-signature', 'webhook-timestamp',
      ]) // biome-ignore format: a list
      expect(request.headers['content-type']).toBe('application/json')
      expect(request.headers['user-agent']).toBe('pricetape-webhooks/1.0')
    }
  })

  test('both header families are identical to the byte', () => {
    for (const { request } of captures)
      for (const part of ['id', 'timestamp', 'signature'])
        expect(request.headers[`svix-${part}`]).toBe(request.headers[`webhook-${part}`])
  })

  test('each attempt is signed at its own second, within a second of its arrival', () => {
    for (const { request } of captures) {
      const age = Math.floor(request.at.getTime() / 1000) - Number(request.headers['webhook-timestamp'])
      expect(age).toBeGreaterThanOrEqual(0)
      expect(age).toBeLessThanOrEqual(2)
    }
  })

  test('retries and resend keep the event id and the body to the byte', () => {
    const first = capture('attempt 1')
    expect(first.body).toBe(UNICODE_BODY)
    for (const name of ['attempt 2', 'attempt 3', 'attempt 4', 'attempt 5', 'attempt 6', 'resend']) {
      const later = capture(name)
      expect(later.headers['webhook-id']).toBe(first.headers['webhook-id'])
      expect(later.raw.equals(first.raw)).toBe(true)
    }
  })

  test('a body of several megabytes arrives whole', () => {
    const { raw } = capture('several megabytes')
    expect(raw.length).toBeGreaterThan(4_000_000)
    expect(raw.equals(Buffer.from(LARGE_BODY))).toBe(true)
  })

  test('a test event has the shape of the specification', () => {
    const { headers, body } = capture('test event')
    const event = JSON.parse(body)
    expect(event).toEqual({
      version: 'webhook-test.v1',
      type: 'webhook.test',
      id: headers['webhook-id'],
      createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      test: true,
      message: expect.any(String),
    })
    expect(event.id).toMatch(/^test_[0-9a-f-]{36}_\d+$/)
  })

  test.each([
    ['rotation begins', 2],
    ['rotation, its last millisecond', 2],
    ['rotation over', 1],
    ['rotation long over', 1],
  ])('%s: %i signatures', (name, count) => {
    expect(String(capture(name).headers['webhook-signature']).split(' ')).toHaveLength(count)
  })
})
