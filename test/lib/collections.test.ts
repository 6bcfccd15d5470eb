import { expect, it } from 'vitest'
import { groupBy, joinKey, lookUp, once, tally } from '../../src/lib/collections.ts'

it('joins the parts of a key so that parts of other lengths make another key', () => {
  expect(joinKey('ab', 'c')).not.toBe(joinKey('a', 'bc'))
  expect(joinKey('a', undefined, 'b')).toBe('a\u001f\u001fb')
  expect(joinKey('a', null, 'b')).toBe(joinKey('a', '', 'b'))
})

it('groups items by their key: groups in the order of their first items, items in their own', () => {
  expect([...groupBy(['apple', 'bee', 'ant', 'bear', 'cat'], (word) => word[0])]).toEqual([
    ['a', ['apple', 'ant']],
    ['b', ['bee', 'bear']],
    ['c', ['cat']],
  ])
  expect(groupBy([], String).size).toBe(0)
})

it('finds in a table what it has, and nothing that every object has', () => {
  const table = { known: 1, nothing: undefined }
  expect(
    ['known', 'nothing', 'other', 'constructor', '__proto__', 'toString'].map((name) => lookUp(table, name)),
  ).toEqual([1, undefined, undefined, undefined, undefined, undefined])
})

it('counts by name from nothing, by one or by more', () => {
  const counts: Record<string, number> = { known: 4 }
  tally(counts, 'known')
  tally(counts, 'new')
  tally(counts, 'new', 5)
  expect(counts).toEqual({ known: 5, new: 6 })
})

it('makes a value when it is first needed, and only once, also where the value is undefined', () => {
  let made = 0
  const value = once(() => {
    made++
    return undefined
  })
  expect(made).toBe(0)
  expect([value(), value()]).toEqual([undefined, undefined])
  expect(made).toBe(1)
  const list = once(() => [made])
  expect(list()).toBe(list())
})
