import { beforeAll, describe, expect, it } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from '../../clients/typescript/src/webhooks.ts'
import { testDatabase } from '../support/database.ts'
import { lacks } from '../support/suite/needs.ts'
import { callPython, callPythonEach } from '../support/toolchains/python-client.ts'
import { type Capture, captureDeliveries } from '../wire/captures.ts'

describe('webhooks that were really sent', () => {
  const db = testDatabase()
  let captures: Capture[]
  beforeAll(async () => {
    captures = (await captureDeliveries(db.sql)).filter(({ request }) => isFresh(request.headers['webhook-timestamp']))
  })

  it('are verified by the TypeScript client with each right secret and no other', () => {
    expect(captures.length).toBeGreaterThan(1)
    for (const { request, good, bad } of captures) {
      for (const secret of good)
        expect(jsonOf(verifyWebhook(request.raw, request.headers, secret))).toBe(jsonOf(JSON.parse(request.body)))
      expect(verifyWebhook(request.body, new Headers(pairs(request.headers)), [...bad, ...good])).toBeTruthy()
      for (const secret of bad)
        expect(() => verifyWebhook(request.raw, request.headers, secret)).toThrow(WebhookVerificationError)
      const changed = Buffer.concat([request.raw, Buffer.from(' ')])
      expect(() => verifyWebhook(changed, request.headers, good)).toThrow(WebhookVerificationError)
    }
  })

  it.skipIf(lacks('Python 3.9'))(
    'are verified by the Python client with each right secret and no other (needs Python 3.9)',
    async () => {
      type Case = { capture: Capture; secrets: string | string[]; raw?: Buffer; expected: object }
      const cases = captures.flatMap((capture): Case[] => {
        const { request, good, bad } = capture
        const verified = { result: JSON.parse(request.body) }
        const changed = Buffer.concat([request.raw, Buffer.from(' ')])
        const refused = { error: { class: 'WebhookVerificationError', message: 'No signature matches.' } }
        return [
          ...good.map((secrets) => ({ capture, secrets, expected: verified })),
          { capture, secrets: [...bad, ...good], expected: verified },
          ...bad.map((secrets) => ({ capture, secrets, expected: refused })),
          { capture, secrets: good, raw: changed, expected: refused },
        ]
      })
      const answers = await callPythonEach(
        cases.map(({ capture: { request }, secrets, raw = request.raw }) => ({
          call: 'verify',
          body: raw.toString('base64'),
          headers: Object.fromEntries(pairs(request.headers)),
          secrets,
        })),
      )
      for (const [n, { capture, expected }] of cases.entries())
        if ('result' in expected) expect(jsonOf(answers[n]), capture.name).toBe(jsonOf(expected))
        else expect(answers[n], capture.name).toMatchObject(expected)
    },
  )

  it.each([
    ['too old', -400],
    ['too far ahead', 400],
  ])('are refused when their timestamp is %s', async (_what, seconds) => {
    const { request, good } = captures[0]!
    const at = String(Math.floor(Date.now() / 1_000) + seconds)
    const headers = { ...request.headers, 'webhook-timestamp': at }
    expect(() => verifyWebhook(request.raw, headers, good)).toThrow(WebhookVerificationError)
    if (lacks('Python 3.9')) return
    const body = request.raw.toString('base64')
    const { error } = await callPython({
      call: 'verify',
      body,
      headers: Object.fromEntries(pairs(headers)),
      secrets: good,
    })
    expect(error).toMatchObject({ message: 'The timestamp is more than five minutes from this clock.' })
  })
})

/** One body has several megabytes: comparing its values one by one takes seconds. */
const jsonOf = (value: unknown): string => JSON.stringify(value)

/** Retries were signed at later instants than now; receivers refuse those. */
const isFresh = (timestamp: unknown): boolean => Math.abs(Date.now() / 1_000 - Number(timestamp)) < 200

const pairs = (headers: Record<string, unknown>): [string, string][] =>
  Object.entries(headers).map(([name, value]) => [name, String(value)])
