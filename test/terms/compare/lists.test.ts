import { describe, expect, it } from 'vitest'
import { changedLists } from '../../../src/terms/compare/lists/lists-rules.ts'
import type { Block } from '../../../src/terms/normalize/normal-form-rules.ts'
import { block, heading, item, row } from '../normalize/blocks.ts'

/** The same answer whichever text came first. */
function changed(before: Block[], after: Block[]): boolean {
  const is = changedLists(before, after)
  expect(changedLists(after, before)).toBe(is)
  return is
}
const [may, mayNot] = [block('You may:'), block('You may not:')]
const [write, train, sell] = ['Write', 'Train', 'Sell'].map(item) as [Block, Block, Block]

describe('an entry', () => {
  it('left one list for another', () => {
    expect(changed([may, write, train, mayNot, sell], [may, write, mayNot, train, sell])).toBe(true)
    expect(changed([may, write, mayNot, sell], [mayNot, write, may, sell])).toBe(true)
    expect(changed([may, train, mayNot, sell], [may, sell, mayNot, train])).toBe(true)
  })

  it('stays in its list when the list moved, or the entry within it', () => {
    expect(changed([may, write, train, mayNot, sell], [mayNot, sell, may, write, train])).toBe(false)
    expect(changed([may, write, train], [may, train, write])).toBe(false)
    expect(changed([may, write], [may, write])).toBe(false)
  })

  it('stays in its list when that has another introduction', () => {
    expect(changed([may, write], [mayNot, write])).toBe(false)
    expect(changed([may, write], [may, mayNot, write])).toBe(false)
    expect(changed([may, mayNot, write], [block('You can:'), may, write])).toBe(false)
  })

  it('was added or removed when it is there less often', () => {
    expect(changed([may, train, mayNot, sell], [may, mayNot, sell])).toBe(false)
    expect(changed([may, train, mayNot, train], [may, mayNot, train])).toBe(false)
  })

  it('left one of its lists', () => {
    const [third, a, b] = [block('You must:'), write, train]
    expect(changed([may, a, mayNot, a, third, b], [may, a, mayNot, third, a, b])).toBe(true)
    expect(changed([may, a, mayNot, a, third, b], [mayNot, a, may, a, third, b])).toBe(false)
  })

  it('is in another section', () => {
    const inSection = (section: string, ...blocks: Block[]) => blocks.map((one) => ({ ...one, section }))
    const lists = (one: Block[], other: Block[]) => [...inSection('A', may, ...one), ...inSection('B', may, ...other)]
    expect(changed(lists([write, train], [sell]), lists([write], [train, sell]))).toBe(true)
    expect(changed([heading('A'), write, heading('B'), sell], [heading('A'), heading('B'), write, sell])).toBe(true)
  })

  it('is not a paragraph', () => {
    const paragraph = block('We train.')
    expect(changed([may, write, paragraph, mayNot, sell], [may, write, mayNot, sell, paragraph])).toBe(false)
  })
})

describe('a row', () => {
  const columns = block('Name Use')
  const [names, health, clicks] = ['Names', 'Health', 'Clicks'].map((name) => row(name)) as [Block, Block, Block]

  it('left one table for another with the same columns', () => {
    const tables = (one: Block[], other: Block[]) => [may, columns, ...one, mayNot, columns, ...other]
    expect(changed(tables([names, health], [clicks]), tables([names], [health, clicks]))).toBe(true)
    expect(changed(tables([names, health], [clicks]), tables([health, names], [clicks]))).toBe(false)
  })
})
