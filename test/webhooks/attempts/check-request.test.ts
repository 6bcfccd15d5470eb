import { describe, expect, it } from 'vitest'
import { newSecret, signedHeaders } from '../../../src/webhooks/attempts/signing.ts'
import { checkRequest } from '../../../src/webhooks/verification/check-rules.ts'
import { readHeaders } from '../../../src/webhooks/verification/request-rules.ts'
import { allowedMs } from '../../support/suite/allowed-time.ts'

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
type KnownWebhook = Parameters<typeof checkRequest>[1]
const check = (given: { headers?: string; body?: string }, known: Partial<KnownWebhook> = {}) =>
  checkRequest({ headers: pasted(), body, ...given }, { secrets: [secret, before], nowMs: at + 1_000, ...known })
const problems = (given: { headers?: string; body?: string }, known: Partial<KnownWebhook> = {}) => {
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

  it('says all that it found, in the order in which a reader needs it', () => {
    const secretText = 'It is signed with the present secret.'
    const bodyText = 'The body is byte for byte what was signed.'
    const time = { kind: 'good', about: 'timestamp', text: 'It was signed within the last 5 minutes.' }
    expect(check({})).toEqual({
      verifies: true,
      findings: [
        { kind: 'good', about: 'secret', text: secretText },
        { kind: 'good', about: 'body', text: bodyText },
        time,
      ],
    })
    const given = check({}, { receiverSecret: before })
    expect(given.findings[3]).toEqual({ kind: 'hint', about: 'secret', text: expect.stringContaining('replace it') })
    const present = check({}, { receiverSecret: secret })
    expect(present.findings[3]).toEqual({ kind: 'good', about: 'secret', text: expect.stringContaining('present') })
    expect(check({}, { receiverSecret: '' }).findings).toHaveLength(3)
    expect(check({ body: '' })).toEqual({
      verifies: false,
      findings: [{ kind: 'problem', about: 'body', text: expect.stringContaining('empty') }, time],
    })
    const unknown = check({ body: '{}' })
    expect(unknown.findings[0]).toEqual({
      kind: 'problem',
      about: 'secret',
      text: expect.stringContaining('No secret'),
    })
  })

  it('takes a timestamp of exactly five minutes ago or ahead, and says how far away another is', () => {
    expect(check({}, { nowMs: at + 300_000 }).verifies).toBe(true)
    expect(check({}, { nowMs: at - 300_000 }).verifies).toBe(true)
    const age = (ms: number) => problems({}, { nowMs: at + ms })[0]!.split('. ')[0]
    expect(age(300_001)).toBe('It was signed 5 minutes ago')
    expect(age(119 * 60_000)).toBe('It was signed 119 minutes ago')
    expect(age(120 * 60_000)).toBe('It was signed 2 hours ago')
    expect(age(2_879 * 60_000)).toBe('It was signed 48 hours ago')
    expect(age(2_880 * 60_000)).toBe('It was signed 2 days ago')
    expect(age(-600_000)).toContain('signed 10 minutes in the future')
    for (const wrong of ['12 seconds', 'at 12', '1234567890123'])
      expect(problems({ headers: pasted().replace(/timestamp: \d+/, `timestamp: ${wrong}`) })).toContainEqual(
        expect.stringContaining('not a number of seconds'),
      )
  })

  it('names one missing header, or two, and says that they are headers', () => {
    const without = (name: string) => pasted().replace(new RegExp(`${name}: .*`), '')
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const text = `Paste the header ${name} too: it is part of what is verified.`
      expect(check({ headers: without(name) })).toEqual({
        verifies: false,
        findings: [{ kind: 'problem', about: 'headers', text }],
      })
    }
    expect(problems({ headers: 'webhook-id: evt_1' })[0]).toContain('webhook-timestamp and webhook-signature too')
    expect(check({ headers: pasted().replace('v1,', 'v2,') }).findings[0]!.about).toBe('headers')
  })

  it('verifies what the right secret signed even when the receiver stored another one, and says which is wrong', () => {
    const { verifies, findings } = check({}, { receiverSecret: `${secret}\n` })
    expect(verifies).toBe(false)
    expect(findings.map(({ kind, about }) => [kind, about])).toEqual([
      ['good', 'secret'],
      ['good', 'body'],
      ['good', 'timestamp'],
      ['problem', 'secret'],
    ])
    expect(problems({}, { receiverSecret: `${before} ` })[0]).toMatch(/something around it/)
    expect(problems({}, { receiverSecret: `!${Buffer.from(secret).toString('base64')}` })[0]).toMatch(/another secret/)
    expect(problems({}, { receiverSecret: Buffer.from('other_text').toString('base64') })[0]).toMatch(/another secret/)
  })

  it('says whether the body is what was sent when no secret made the signature', () => {
    const known = { sentBody: body }
    const headers = pasted({ secrets: [newSecret()] })
    expect(problems({ headers }, known)[0]).toMatch(/^The body is what was sent, but no secret/)
    expect(problems({ headers, body: '{}' }, known)[0]).toMatch(/^Even for the body as it was sent no secret/)
    expect(check({ headers }, known).findings[0]).toMatchObject({ kind: 'problem', about: 'secret' })
  })

  it('says where the body differs first', () => {
    const known = { sentBody: body }
    expect(problems({ body: `[${body.slice(1)}` }, known)[0]).toMatch(/sent at character 1\./)
    expect(problems({ body: body.slice(0, 10) }, known)[0]).toMatch(/after 10 characters, where the rest is missing/)
    expect(check({ body: body.slice(0, 10) }, known).findings[0]).toMatchObject({ kind: 'problem', about: 'body' })
    const other = body.replace('[1,2]', '[2,1]')
    expect(problems({ body: other }, known)[0]).toMatch(/differs from what was sent/)
    const nested = '{"a":[{"b":null,"c":1}],"d":"x"}'
    const turned = '{"d":"x","a":[{"c":1,"b":null}]}'
    const signed = { headers: pasted({ body: nested }), body: turned }
    expect(problems(signed, { sentBody: nested })[0]).toMatch(/parsed and written again/)
  })

  it('finds JSON that was written again with its letters escaped', () => {
    const original = '{"name":"mod\\u00e8le","sign":"\\u2713"}'
    const signed = { headers: pasted({ body: original }), body: '{"name": "modèle", "sign": "✓"}' }
    expect(problems(signed)[0]).toMatch(/parsed and written again/)
  })

  it('finds a line break of Windows at the end, and Latin-1 up to its last letter', () => {
    expect(problems({ body: `${body}\r\n` })[0]).toMatch(/line break was added at the end/)
    const last = '{"name":"ÿ ÿ"}'
    const latin = Buffer.from(last).toString('latin1')
    expect(problems({ headers: pasted({ body: last }), body: latin })[0]).toMatch(/Latin-1/)
    expect(problems({ body: `${Buffer.from(body).toString('latin1')}✓` })[0]).toMatch(/No secret/)
  })

  it('reads the first of two headers of a name, and none from a line that has no name', () => {
    expect(readHeaders('webhook-id: evt_1\nwebhook-id: evt_2')).toEqual({ id: 'evt_1' })
    expect(readHeaders('POST /hooks HTTP/1.1\n\n')).toEqual({})
    expect(readHeaders('x-http_webhook-id: evt_1\nGET webhook-id: evt_2')).toEqual({})
    expect(readHeaders("curl -H   'webhook-id: evt_1'")).toEqual({})
    expect(readHeaders("  --header   'webhook-id:evt_1'   \\")).toEqual({ id: 'evt_1' })
    expect(readHeaders('webhook-signature: v1,a\\b\'c"d')).toEqual({ signature: 'v1,a\\b\'c"d' })
  })

  it('judges what is as large as a request may be, and nested as deeply, without delay', () => {
    const long = 'é'.repeat(256 * 1024)
    const started = performance.now()
    const signed = { headers: pasted({ body: long }), body: `${long.slice(0, -1)}x` }
    expect(problems(signed, { sentBody: long })[0]).toMatch(/at character 262144\./)
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(problems({ body: deep })[0]).toMatch(/No secret/)
    expect(problems({ headers: pasted({ body: long }), body: deep }, { sentBody: long })[0]).toMatch(/at character 1\./)
    expect(problems({ headers: pasted({ body: deep }), body: `${deep} x` }, { sentBody: deep })[0]).toMatch(/character/)
    for (const space of [' ', '\t', '\u2028']) readHeaders(`webhook-id: a${space.repeat(64 * 1024)}b\u2028`)
    readHeaders(`webhook-id:${' '.repeat(64 * 1024)}${'\u2028'.repeat(64 * 1024)}b`)
    expect(performance.now() - started).toBeLessThan(allowedMs(2_000))
  })
})
