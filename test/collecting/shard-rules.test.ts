import { describe, expect, it } from 'vitest'
import { isInShard, shardsFor } from '../../src/collecting/shard-rules.ts'
import { type Instant, plus } from '../../src/lib/instant.ts'

const now = '2026-11-27T10:00:00.000Z' as Instant
const SOURCES = Array.from({ length: 10_000 }, (_, n) => `source-${n}`)

describe('shards of due sources', () => {
  it('are as many as it takes to read a hundred sources each, and 32 at most', () => {
    expect([0, 1, 100, 101, 250, 3_200, 10_000].map(shardsFor)).toEqual([0, 1, 1, 2, 3, 32, 32])
  })

  it('hold each source once, in parts of about the same size', () => {
    const shardOf = (source: string) =>
      Array.from({ length: 32 }, (_, index) => index).filter((index) => isInShard(source, now, { index, of: 32 }))
    const shards = SOURCES.map(shardOf)
    expect(shards.every((own) => own.length === 1)).toBe(true)
    for (let index = 0; index < 32; index++) {
      const size = shards.filter(([own]) => own === index).length
      expect(size).toBeGreaterThan(200)
      expect(size).toBeLessThan(430)
    }
  })

  it('are others in each check, so that the same sources do not wait each time', () => {
    const first = SOURCES.filter((source) => isInShard(source, now, { index: 0, of: 32 }))
    const next = first.filter((source) => isInShard(source, plus(now, 300_000), { index: 0, of: 32 }))
    expect(next.length).toBeLessThan(first.length / 8)
  })
})
