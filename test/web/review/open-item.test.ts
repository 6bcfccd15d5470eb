import { describe, expect, it } from 'vitest'
import { itemAfter, itemBeside, openIn } from '../../../src/web/pages/operator/review/open-item.ts'

const list = (ids: string) => [...ids].map((id) => ({ id }))
const at = (id: string, index: number) => ({ item: { id }, index })

describe('the open item', () => {
  it('is the first where none was open, and none where nothing waits', () => {
    expect(openIn(list('abc'), undefined)).toEqual(at('a', 0))
    expect(openIn([], undefined)).toBeUndefined()
  })

  it('stays open at its new place when the list changes around it', () => {
    expect(openIn(list('bcd'), at('c', 2))).toEqual(at('c', 1))
    expect(openIn(list('xabc'), at('c', 2))).toEqual(at('c', 3))
  })

  it('stays open when it leaves the list, so that no other item is decided instead', () => {
    expect(openIn(list('ac'), at('b', 1))).toEqual(at('b', 1))
    expect(openIn([], at('b', 1))).toEqual(at('b', 1))
  })

  it('is the same object while nothing changes, and as the list has it now when it does', () => {
    const items = list('ab')
    const open = openIn(items, at('b', 0))!
    expect(open.item).toBe(items[1])
    expect(openIn(items, open)).toBe(open)
    const again = list('ab')
    expect(openIn(again, open)!.item).toBe(again[1])
  })
})

describe('the item beside the open one', () => {
  const beside = (ids: string, open: ReturnType<typeof at>, by: number) => itemBeside(list(ids), open, by)?.id

  it('is the next or the one before, and the last and the first stay', () => {
    expect([beside('abc', at('b', 1), 1), beside('abc', at('b', 1), -1)]).toEqual(['c', 'a'])
    expect([beside('abc', at('c', 2), 1), beside('abc', at('a', 0), -1)]).toEqual(['c', 'a'])
  })

  it('is the one that took the place of an item that left the list, or the one before that', () => {
    expect([beside('ac', at('b', 1), 1), beside('ac', at('b', 1), -1)]).toEqual(['c', 'a'])
    expect([beside('ab', at('c', 2), 1), beside('ab', at('c', 2), -1)]).toEqual(['b', 'b'])
    expect([beside('', at('a', 0), 1), beside('', at('a', 0), -1)]).toEqual([undefined, undefined])
  })
})

describe('the item after a decision', () => {
  const following = (ids: string, open: ReturnType<typeof at>, decided: string) =>
    itemAfter(list(ids), open, list(decided))?.id

  it('is the next that is left, else the first', () => {
    expect(following('abc', at('a', 0), 'a')).toBe('b')
    expect(following('abcd', at('b', 1), 'bc')).toBe('d')
    expect(following('abc', at('c', 2), 'c')).toBe('a')
    expect(following('a', at('a', 0), 'a')).toBeUndefined()
  })

  it('is the open one when others were decided', () => {
    expect(following('abc', at('b', 1), 'ac')).toBe('b')
    expect(following('ac', at('b', 1), 'a')).toBe('b')
  })
})
