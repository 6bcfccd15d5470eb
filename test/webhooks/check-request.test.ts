import { describe, expect, it } from 'vitest'
import { newSecret, signedHeaders } from '../../src/webhooks/attempts/signing.ts'
import { checkRequest } from '../../src/webhooks/verification/check-rules.ts'
import { readHeaders } from '../../src/webhooks/verification/request-rules.ts'

const secret = newSecret()
const before = newSecret()
const at = Date.parse('2026-11-21T10:00:00Z')
const body = '{"id":"evt_1","name":"modèle","tiers":[1,2]}'

function pasted(options: { secrets?: string[]; body?: string } = {}): string {
  const headers = signedHeaders({ id: 'evt_1', secrets: options.secrets ?? [secret], at, body: options.body ?? body })
  return Object.entries(headers)
    .filter(([name]) => name.startsWith('webhook-'))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}
type Known = Parameters<typeof checkRequest>[1]
const check = (given: { headers?: string; body?: string }, known: Partial<Known> = {}) =>
  checkRequest({ headers: pasted(), body, ...given }, { secrets: [secret, before], nowMs: at + 1_000, ...known })
const problems = (given: { headers?: string; body?: string }, known: Partial<Known> = {}) => {
  const { verifies, findings } = check(given, known)
  expect(verifies).toBe(false)
  return findings.filter(({ kind }) => kind === 'problem').map(({ text }) => text)
}

describe('the check of a received request', () => {
  it('verifies what is as it was sent, also with the secret before a rotation', () => {
    expect(check({})).toMatchObject({ verifies: true })
    const old = check({ headers: pasted({ secrets: [before] }) })
    expect(old.verifies).toBe(true)
    expect(old.findings[0]!.text).toContain('the secret before this one')
  })

  it('finds what was done to the body', () => {
    const changes: [string, RegExp][] = [
      [`${body}\n`, /line break was added at the end/],
      [` ${body} `, /White space around/],
      [`\uFEFF${body}`, /byte order mark/],
      [Buffer.from(body).toString('latin1'), /Latin-1/],
      [JSON.stringify(JSON.parse(body), null, 2), /parsed and written again/],
      ['', /empty/],
    ]
    for (const [changed, reason] of changes) expect(problems({ body: changed })[0]).toMatch(reason)
    const lines = '{\n"a":1\n}'
    const windows = { headers: pasted({ body: lines }), body: lines.replaceAll('\n', '\r\n') }
    expect(problems(windows)[0]).toMatch(/Windows/)
  })

  it('compares with what was sent, where the log still has it', () => {
    const known = { sentBody: body }
    expect(problems({ body: body.replace('[1', '[9') }, known)[0]).toMatch(/differs from what was sent at character 40/)
    expect(problems({ body: body.slice(0, -1) }, known)[0]).toMatch(/the rest is missing/)
    const reordered = '{"tiers":[1,2],"name":"modèle","id":"evt_1"}'
    expect(problems({ body: reordered }, known)[0]).toMatch(/parsed and written again/)
    expect(problems({ headers: pasted({ secrets: [newSecret()] }) }, known)[0]).toMatch(/rotated since/)
    expect(problems({ headers: pasted({ secrets: [newSecret()] }) })[0]).toMatch(/of another webhook/)
  })

  it('finds an old timestamp, one of the future, and one that is none', () => {
    expect(problems({}, { nowMs: at + 301_000 })).toEqual([expect.stringContaining('signed 5 minutes ago')])
    expect(problems({}, { nowMs: at - 301_000 })).toEqual([expect.stringContaining('in the future')])
    const words = pasted().replace(/timestamp: \d+/, 'timestamp: today')
    expect(problems({ headers: words })).toContainEqual(expect.stringContaining('not a number of seconds'))
  })

  it('finds what is wrong with the secret that the receiver has', () => {
    const given = (receiverSecret: string) => problems({}, { receiverSecret })[0]
    expect(given(`"${secret}"`)).toMatch(/something around it/)
    expect(given(secret.slice('whsec_'.length))).toMatch(/without whsec_/)
    expect(given(Buffer.from(secret).toString('base64'))).toMatch(/base64 once more/)
    expect(given(newSecret())).toMatch(/another secret/)
    expect(check({}, { receiverSecret: secret }).verifies).toBe(true)
    expect(check({}, { receiverSecret: before }).verifies).toBe(true)
  })

  it('names the headers that are missing, and a signature of another form', () => {
    expect(problems({ headers: 'content-type: application/json' })[0]).toMatch(
      /webhook-id, webhook-timestamp and webhook-signature too/,
    )
    expect(problems({ headers: pasted().replace('v1,', '') })[0]).toMatch(/version 1/)
  })

  it('reads headers as people paste them', () => {
    const expected = { id: 'evt_1', timestamp: '17', signature: 'v1,a= v1,b=' }
    const forms = [
      'Webhook-Id: evt_1\r\nWEBHOOK-TIMESTAMP: 17\r\nwebhook-signature: v1,a= v1,b=',
      "-H 'webhook-id: evt_1' \\\n-H 'webhook-timestamp: 17' \\\n-H 'webhook-signature: v1,a= v1,b=' \\",
      '{ "webhook-id": "evt_1",\n"webhook-timestamp": "17",\n"webhook-signature": ["v1,a= v1,b="],',
      'HTTP_WEBHOOK_ID=evt_1\nHTTP_WEBHOOK_TIMESTAMP=17\nHTTP_WEBHOOK_SIGNATURE=v1,a= v1,b=',
      'svix-id: evt_1\nsvix-timestamp: 17\nsvix-signature: v1,a= v1,b=',
    ]
    for (const form of forms) expect(readHeaders(form)).toEqual(expected)
  })
})
