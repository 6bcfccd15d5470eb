import { describe, expect, it } from 'vitest'
import type { Change } from '../../../src/prices/events/change-schema.ts'
import { currentHash } from '../../../src/prices/events/current-rules.ts'
import { at, before, earlier, hashOf, row } from './event-facts.ts'

describe('the row that readers see after a change', () => {
  it('is the new one, the one without the step, or what a correction leaves', () => {
    const corrected = { row: row(), affected: { from: earlier, to: at }, reason: 'wrong' }
    const of = (change: Change) => currentHash(change)?.slice(0, 3)
    expect(of({ kind: 'priceChanged', row: row(), before })).toBe('new')
    expect(of({ kind: 'lineAdded', row: row() })).toBe('new')
    expect(of({ kind: 'stepIntroduced', row: row(), base: before })).toBe('new')
    expect(of({ kind: 'stepWithdrawn', row: row(), base: before })).toBe('old')
    expect(of({ kind: 'withdrawn', ...corrected, current: row({ contentHash: hashOf('old') }) })).toBe('old')
    expect(of({ kind: 'restored', ...corrected, current: row() })).toBe('new')
  })

  it('is none where nothing is left, and none that an event would name where no price changed', () => {
    const corrected = { row: row(), affected: { from: earlier, to: at }, reason: 'wrong' }
    expect(currentHash({ kind: 'withdrawn', ...corrected })).toBeUndefined()
    expect(currentHash({ kind: 'lineRemoved', row: row() })).toBeUndefined()
    expect(currentHash({ kind: 'priceRevised', row: row(), before })).toBeUndefined()
    expect(currentHash({ kind: 'resourceAdded', rows: [row()] })).toBeUndefined()
  })
})
