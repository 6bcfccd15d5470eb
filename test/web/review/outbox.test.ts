import { describe, expect, it } from 'vitest'
import { ConnectionError } from '../../../src/web/api/connection/client.ts'
import { Outbox } from '../../../src/web/pages/operator/review/decide/outbox.ts'
import type { Outcome, ShownItem } from '../../../src/web/pages/operator/review/decide/send-decisions.ts'

const APPROVE = { decision: 'approve' as const, reason: 'announced' }
const shown = (...ids: string[]) =>
  ids.map((id): ShownItem => ({ item: { id } as ShownItem['item'], revision: `${id}1` }))

/** Outside a browser no request has an origin, so that none arrives. */
function openOutbox() {
  const outcomes: Outcome[] = []
  let readAgain = 0
  const outbox = new Outbox({ onOutcome: (outcome) => outcomes.push(outcome), readAgain: async () => readAgain++ })
  const waiting = () => outbox.content().waiting.map(({ item }) => item.id)
  const failed = () => outbox.content().failed?.waiting.map(({ item }) => item.id)
  return { outbox, outcomes, waiting, failed, readAgain: () => readAgain }
}

describe('decisions that wait to be sent', () => {
  it('wait for five seconds, and are not sent before', () => {
    const { outbox, waiting } = openOutbox()
    const before = Date.now()
    outbox.add(shown('a'), APPROVE)
    const [pending] = outbox.content().waiting
    expect(pending).toMatchObject({ item: { id: 'a' }, revision: 'a1', decision: APPROVE })
    expect(pending!.sendAt - before).toBeGreaterThanOrEqual(5_000)
    expect(pending!.sendAt - Date.now()).toBeLessThanOrEqual(5_000)
    outbox.sendDue()
    expect(waiting()).toEqual(['a'])
  })

  it('are taken back by batches, the newest first', () => {
    const { outbox, waiting } = openOutbox()
    outbox.add(shown('a'), APPROVE)
    outbox.add(shown('b', 'c'), APPROVE)
    expect(outbox.takeBack().map(({ item }) => item.id)).toEqual(['b', 'c'])
    expect(waiting()).toEqual(['a'])
    outbox.takeBack()
    expect(outbox.takeBack()).toEqual([])
  })

  it('notify those who listen', () => {
    const { outbox } = openOutbox()
    const seen: number[] = []
    const end = outbox.subscribe(() => seen.push(outbox.count()))
    outbox.add(shown('a', 'b'), APPROVE)
    outbox.takeBack()
    end()
    outbox.add(shown('c'), APPROVE)
    expect(seen).toEqual([2, 0])
  })
})

describe('decisions that could not be sent', () => {
  it('stay and count until they are sent again or put back', async () => {
    const { outbox, outcomes, failed, readAgain } = openOutbox()
    outbox.add(shown('a'), APPROVE)
    outbox.add(shown('b'), { ...APPROVE, reason: 'another' })
    const sent = outbox.sendAll()
    expect(outbox.content()).toMatchObject({ waiting: [], sending: [{ item: { id: 'a' } }, { item: { id: 'b' } }] })
    expect(await sent).toBe(0)
    expect(outbox.content()).toMatchObject({ sending: [], sent: [] })
    expect(outbox.content().failed!.error).toBeInstanceOf(ConnectionError)
    expect([failed(), outbox.count(), outcomes.length, readAgain()]).toEqual([['a', 'b'], 2, 2, 1])
    outbox.retry()
    expect([failed(), outbox.count()]).toEqual([undefined, 2])
    await outbox.sendAll()
    expect(failed()).toEqual(['a', 'b'])
    outbox.putBack()
    expect([failed(), outbox.count()]).toEqual([undefined, 0])
  })

  it('are sent again with what waits, or dropped with it', async () => {
    const { outbox, failed, waiting } = openOutbox()
    outbox.add(shown('a'), APPROVE)
    await outbox.sendAll()
    outbox.add(shown('b'), APPROVE)
    expect([failed(), waiting()]).toEqual([['a'], ['b']])
    await outbox.sendAll()
    expect([failed(), waiting()]).toEqual([['b', 'a'], []])
    outbox.add(shown('c'), APPROVE)
    outbox.sendNow()
    expect([failed(), outbox.count()]).toEqual([['b', 'a'], 3])
    await outbox.sendAll()
    outbox.drop()
    expect(outbox.count()).toBe(0)
  })
})
