import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bundledSnapshots, collectorFor } from '../../src/collectors/index.ts'
import { readSources } from '../../src/collectors/sources-file.ts'
import { instantOf } from '../../src/lib/instant.ts'
import { observation } from '../../src/prices/schema.ts'
import { lacks } from '../support/suite/needs.ts'
import { recording } from '../support/suite/recordings.ts'

const collector = collectorFor('genai-prices')!
/** As the product declares it, with what is known to be wrong in it. */
const source = readSources().all.find((declared) => declared.source === 'genai-prices')!

describe('the bundled snapshots', () => {
  it('are four real ones, oldest first, of the sizes their releases have', () => {
    const read = bundledSnapshots().map((snapshot) => {
      const parsed = collector.parse(snapshot.bytes(), { source, at: snapshot.at })
      for (const item of parsed.observations) observation.parse(item)
      return { at: snapshot.at, providers: parsed.providers.length, prices: parsed.observations.length }
    })
    expect(read).toEqual([
      { at: '2025-10-19T10:03:35.000Z', providers: 16, prices: 1230 },
      { at: '2026-02-11T20:44:52.000Z', providers: 28, prices: 1891 },
      { at: '2026-07-22T20:56:01.000Z', providers: 34, prices: 2830 },
      { at: '2026-09-23T10:11:04.622Z', providers: 43, prices: 3795 },
    ])
  })

  it('understand every kind of price there is in them', () => {
    const reasons = bundledSnapshots().flatMap((snapshot) =>
      collector.parse(snapshot.bytes(), { source, at: snapshot.at }).ignored.map(({ reason }) => reason),
    )
    expect([...new Set(reasons)].filter((reason) => !reason.startsWith('a known error')).sort()).toEqual([
      'a model without a price',
      'a price that takes effect later: it is read when it does',
      'a provider without any price',
      'a second name of a model that is listed under its seller’s own',
    ])
  })

  it('name each model of OpenRouter once, as OpenRouter does, where both of its names are certain', () => {
    const { bytes, at } = bundledSnapshots().at(-1)!
    const { observations } = collector.parse(bytes(), { source, at })
    const sold = new Set(observations.filter((line) => line.provider === 'openrouter').map((line) => line.resource))
    const twice = [...sold].filter((name) => !name.includes('/') && [...sold].some((own) => own.endsWith(`/${name}`)))
    // Listed under two organizations: which of them it means is not certain.
    expect(twice).toEqual(['ministral-8b'])
    expect(sold).toContain('anthropic/claude-3-opus')
    expect(sold).not.toContain('claude-3-opus')
    // A name that is listed once stays.
    expect(sold).toContain('grok-3')
  })
})

const REPLAY = recording('genai-prices')

describe('the recorded history of genai-prices', () => {
  it.skipIf(lacks('the recorded prices'))('parses as a whole (needs the recorded prices)', () => {
    const manifest = JSON.parse(readFileSync(join(REPLAY, 'manifest.json'), 'utf8')) as {
      file: string
      committedAt: string
    }[]
    for (const { file, committedAt } of manifest) {
      const bytes = gunzipSync(readFileSync(join(REPLAY, file)))
      const read = collector.parse(bytes, { source, at: instantOf(Date.parse(committedAt)) })
      expect(read.observations.length).toBeGreaterThan(1_000)
      expect(read.ignored.filter(({ reason }) => /unknown|not a number|again/.test(reason))).toEqual([])
      const resources = new Set(read.observations.map(({ provider, resource }) => `${provider} ${resource}`))
      const stated = read.facts!.filter(({ provider, resource }) => resources.has(`${provider} ${resource}`))
      expect(stated.length).toBeGreaterThan(read.facts!.length * 0.9)
      expect(stated.length).toBeGreaterThan(50)
    }
  })
})
