import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startVerifyingReceiver } from '../../src/cli/webhooks/receiver.ts'
import type { ReceivedRequest } from '../../src/cli/webhooks/receiver-line.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { newSecret, signedHeaders } from '../../src/webhooks/attempts/signing.ts'

const secret = newSecret()
const client = createSafeFetch({ allowPrivate: true })
let lines: string[] = []
let receiver: Awaited<ReturnType<typeof startVerifyingReceiver>>
beforeEach(() => {
  lines = []
})
afterEach(() => receiver.close())

const start = async (json = false, secrets = [secret]) => {
  receiver = await startVerifyingReceiver({ port: 0, secrets, json, write: (line) => lines.push(line) })
}
const event = (fields: object) =>
  JSON.stringify({ version: 'price-change.v1', type: 'price.changed.openai', ...fields })
const priceChanged = event({
  resource: 'gpt-5',
  dimension: 'input_tokens',
  pricingTier: { context: 'long' },
  currency: 'USD',
  previous: { price: '0.00000125' },
  current: { price: '0.000001' },
})

async function send(body: string, over: { id?: string; at?: number; secrets?: string[]; sent?: string } = {}) {
  const { id = 'evt_1', at = Date.now(), secrets = [secret], sent = body } = over
  const outcome = await client.post(receiver.url, { headers: signedHeaders({ id, at, secrets, body }), body: sent })
  return outcome.kind === 'answer' ? outcome.status : outcome
}

describe('the verifying receiver', () => {
  test('prints one readable line for an event and answers 200', async () => {
    await start()
    expect(await send(priceChanged)).toBe(200)
    expect(lines).toEqual([
      expect.stringMatching(
        /^\d\d:\d\d:\d\d ✓ price\.changed\.openai {2}gpt-5 input_tokens context=long {2}0\.00000125 → 0\.000001 USD {2}evt_1 \(\d+ bytes\)$/,
      ),
    ])
  })

  test('knows an event it has processed, and answers 200 again', async () => {
    await start()
    for (let i = 0; i < 2; i++) expect(await send(priceChanged)).toBe(200)
    expect(lines[1]).toMatch(/ = again: price\.changed\.openai /)
  })

  test.each([
    ['a body changed on the way', { sent: priceChanged.replace('0.000001', '0.000009') }, /No matching signature/],
    ['another secret', { secrets: [newSecret()] }, /No matching signature/],
    ['a timestamp six minutes old', { at: Date.now() - 360_000 }, /too old/],
    ['a timestamp six minutes ahead', { at: Date.now() + 360_000 }, /too new/],
  ])('answers 400 to %s, says why, and takes the right one afterwards', async (_what, over, why) => {
    await start()
    expect(await send(priceChanged, over)).toBe(400)
    expect(lines[0]).toMatch(why)
    expect(await send(priceChanged)).toBe(200)
    expect(lines[1]).toMatch(/✓/)
  })

  test('answers 400 to a request without a signature', async () => {
    await start()
    const outcome = await client.post(receiver.url, { headers: {}, body: '{}' })
    expect(outcome).toMatchObject({ status: 400, response: expect.stringContaining('Missing required headers') })
  })

  test('takes either secret while a rotation lasts', async () => {
    const next = newSecret()
    await start(false, [secret, next])
    expect(await send(priceChanged, { secrets: [next] })).toBe(200)
    expect(await send(priceChanged, { id: 'evt_2', secrets: [next, secret] })).toBe(200)
  })

  test('prints JSON with the whole event for programs', async () => {
    await start(true)
    await send(priceChanged)
    const received = JSON.parse(lines[0] ?? '') as ReceivedRequest
    expect(received).toMatchObject({ outcome: 'accepted', id: 'evt_1', type: 'price.changed.openai' })
    expect(received.event).toEqual(JSON.parse(priceChanged))
  })

  test('does not let an event steer the terminal', async () => {
    await start()
    await send(event({ resource: '\u001b[2Jgone\nforged line' }))
    expect(lines[0]).toContain('?[2Jgone?forged line')
  })

  test('says what to do about a wrong secret or a taken port', async () => {
    await start()
    await expect(startVerifyingReceiver({ port: receiver.port, secrets: [secret] })).rejects.toThrow(/--port/)
    await expect(startVerifyingReceiver({ port: 0, secrets: ['whsec_%%%'] })).rejects.toThrow(/Copy it whole/)
    await expect(startVerifyingReceiver({ port: 0, secrets: [] })).rejects.toThrow(/--secret/)
  })
})
