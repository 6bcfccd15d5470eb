import { describe, expect, it } from 'vitest'
import {
  absentState,
  confirmedState,
  correctedState,
  hasUnjudgedState,
  heldState,
  publishedState,
  rejectedState,
  removedState,
  supersededState,
  unjudgedState,
  waitingState,
} from '../../src/prices/publish/line-state-rules.ts'
import { distinctResources } from '../../src/prices/publish/listed-resource-rules.ts'
import { again, at, earlier, held, identity, line, verdict } from './holds/held-lines.ts'

describe('the state of a line', () => {
  const full = line({ held, decidedPrice: '7', missingSince: earlier, missingCount: 4, removedAt: earlier })
  const row = { lineId: '1', contentHash: 'new' }
  const waits = { heldHash: 'held', heldSince: earlier, heldFetches: 2 }

  it('forgets all else when a row is published, but for the price of the source that was decided about', () => {
    expect(publishedState(row)).toEqual({ lineId: '1', currentHash: 'new', missingCount: 0 })
    expect(publishedState(row, '7').decidedPrice).toBe('7')
  })

  it('keeps what is published and removed while a new row is held', () => {
    expect(heldState(row, verdict(), full)).toEqual({
      lineId: '1',
      currentHash: 'published',
      heldHash: 'new',
      heldSince: earlier,
      heldFetches: 3,
      judgedAgainAt: again,
      missingCount: 0,
      removedAt: earlier,
    })
    expect(heldState(row, verdict())).toMatchObject({ lineId: '1', currentHash: undefined, removedAt: undefined })
    expect(heldState(row, verdict(), line({ current: undefined })).currentHash).toBeUndefined()
  })

  it('remembers the price that was rejected', () => {
    const rejected = { lineId: '1', currentHash: 'published', decidedPrice: '9', missingCount: 0, removedAt: earlier }
    expect(rejectedState(full, '9')).toEqual(rejected)
    expect(rejectedState(line({ current: undefined }), '9')).toMatchObject({ currentHash: undefined })
  })

  it('keeps what is published and decided when the snapshot confirms it', () => {
    const confirmed = { lineId: '1', currentHash: 'published', decidedPrice: '7', missingCount: 0 }
    expect(confirmedState(full)).toEqual(confirmed)
    expect(confirmedState(line({ current: undefined })).currentHash).toBeUndefined()
  })

  it('counts how long a held row stands', () => {
    expect(waitingState({ line: full, verdict: verdict() })).toEqual({
      lineId: '1',
      currentHash: 'published',
      decidedPrice: '7',
      missingCount: 0,
      heldHash: 'held',
      heldSince: earlier,
      heldFetches: 3,
      judgedAgainAt: again,
      removedAt: earlier,
    })
    expect(waitingState({ line: line(), verdict: verdict() }).heldHash).toBeUndefined()
  })

  it('leaves a line that cannot be judged as it is, until its source says something else', () => {
    expect(unjudgedState(full)).toEqual({
      lineId: '1',
      currentHash: 'published',
      decidedPrice: '7',
      missingCount: 0,
      judgedAgainAt: undefined,
      removedAt: earlier,
      ...waits,
    })
    expect(unjudgedState(line())).toEqual({ lineId: '1', currentHash: 'published', missingCount: 0 })
    expect(hasUnjudgedState(line())).toBe(false)
    expect(hasUnjudgedState(line({ held }))).toBe(false)
    expect(hasUnjudgedState(line({ missingSince: earlier }))).toBe(true)
    expect(hasUnjudgedState(line({ held: { ...held, judgedAgainAt: again } }))).toBe(true)
  })

  it('counts absences from the first on', () => {
    expect(absentState(line({ decidedPrice: '7' }), at)).toEqual({
      lineId: '1',
      currentHash: 'published',
      decidedPrice: '7',
      missingSince: at,
      missingCount: 1,
    })
    expect(absentState(full, at)).toMatchObject({ missingSince: earlier, missingCount: 5 })
  })

  it('keeps since when a line is missing when it is removed, and when it loses its held row', () => {
    const kept = { lineId: '1', currentHash: 'published', decidedPrice: '7', missingSince: earlier, missingCount: 4 }
    expect(removedState(full, at)).toEqual({ ...kept, removedAt: at })
    expect(supersededState(full)).toEqual({ ...kept, removedAt: earlier })
  })

  it('keeps what is held and missing when a person corrects what is published', () => {
    const kept = { lineId: '1', missingSince: earlier, missingCount: 4, removedAt: earlier, judgedAgainAt: undefined }
    expect(correctedState(full, 'new', '8')).toEqual({ ...kept, ...waits, currentHash: 'new', decidedPrice: '8' })
    expect(correctedState(line())).toEqual({ lineId: '1', missingCount: 0 })
    expect(correctedState(line({ held: { ...held, judgedAgainAt: again } })).judgedAgainAt).toBe(again)
  })
})

describe('the resources of published rows', () => {
  it('are each one, with the facts of the last row', () => {
    const named = { provider: 'acme', resource: 'm1', canonicalResource: 'maker/m1', category: 'chat' }
    expect(
      distinctResources([identity, { ...identity, ...named }, { provider: 'acme', resource: 'm2' }, named] as never),
    ).toEqual([named, { provider: 'acme', resource: 'm2', canonicalResource: undefined, category: undefined }])
  })
})
