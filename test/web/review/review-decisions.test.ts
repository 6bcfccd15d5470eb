import { afterEach, describe, expect, it } from 'vitest'
import { unsent } from '../../../src/web/api/connection/unsent.ts'
import { hasChanged, seenOf } from '../../../src/web/pages/operator/review/decide/seen-revision.ts'
import { requestOf } from '../../../src/web/pages/operator/review/decide/send-decisions.ts'

type Pending = Parameters<typeof requestOf>[0][number]

describe('decisions that are sent', () => {
  it('name what was shown of each item', () => {
    const item = (id: string, revision: string) => ({ id, revision }) as Pending['item']
    const rest = {
      decision: { decision: 'approve' as const, reason: 'announced' },
      batch: 1,
      sendAt: 0,
    }
    // The list knows another revision by now: what counts is what was on the screen.
    const request = requestOf([
      { item: item('a', 'a2'), revision: 'a1', ...rest },
      { item: item('b', 'b1'), revision: 'b1', ...rest },
    ])
    expect(request).toEqual({
      ids: ['a', 'b'],
      revisions: { a: 'a1', b: 'b1' },
      decision: 'approve',
      reason: 'announced',
    })
  })
})

describe('an item that is open', () => {
  const a = { id: 'a', revision: 'a1' }

  it('is seen as its details show it first, and has changed when they show something else', () => {
    expect(seenOf(undefined, a, undefined)).toBeUndefined()
    const seen = seenOf(undefined, a, 'a1')
    expect(seen).toEqual({ itemId: 'a', revision: 'a1' })
    expect([hasChanged(seen, 'a1'), hasChanged(seen, undefined), hasChanged(undefined, 'a1')]).toEqual([
      false,
      false,
      false,
    ])
    expect(seenOf(seen, { ...a, revision: 'a2' }, 'a2')).toBe(seen)
    expect(hasChanged(seen, 'a2')).toBe(true)
  })

  it('is seen again when another one was open between', () => {
    const seen = seenOf(undefined, a, 'a1')
    const other = seenOf(seen, { id: 'b', revision: 'b1' }, 'b1')
    expect(other).toEqual({ itemId: 'b', revision: 'b1' })
    expect(seenOf(seen, { id: 'b', revision: 'b1' }, undefined)).toBeUndefined()
    expect(seenOf(other, a, 'a2')).toEqual({ itemId: 'a', revision: 'a2' })
    expect(seenOf(seen, undefined, undefined)).toBeUndefined()
  })
})

describe('what is not sent yet', () => {
  const ends: (() => void)[] = []
  afterEach(() => {
    for (const end of ends.splice(0)) end()
  })
  /** A page that keeps this many decisions, of which some are refused and some cannot be sent. */
  const keep = (count: number, { refused = 0, unsendable = 0 } = {}) => {
    let kept = count
    const page = {
      count: () => kept,
      sendAll: async () => {
        kept = unsendable
        return refused
      },
      drop: () => {
        kept = 0
      },
    }
    ends.push(unsent.keep(page))
  }

  it('is sent before someone signs out', async () => {
    keep(2)
    keep(1)
    expect(unsent.count()).toBe(3)
    await unsent.sendAll()
    expect(unsent.count()).toBe(0)
  })

  it('keeps its person signed in when it cannot be sent, or when it was refused', async () => {
    keep(3, { unsendable: 2 })
    await expect(unsent.sendAll()).rejects.toThrow('2 decisions were not sent.')
    unsent.drop()
    expect(unsent.count()).toBe(0)
    keep(1, { refused: 1 })
    ends.shift()!()
    await expect(unsent.sendAll()).rejects.toThrow('1 decision was not carried out: this page says why.')
  })

  it('is nothing on pages that keep nothing', async () => {
    keep(4)
    ends.pop()!()
    expect(unsent.count()).toBe(0)
    await expect(unsent.sendAll()).resolves.toBeUndefined()
  })
})
