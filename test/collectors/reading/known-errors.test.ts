import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type KnownError, sourceDeclaration } from '../../../src/catalog/schema.ts'
import { bundledSnapshots, collectorFor } from '../../../src/collectors/index.ts'
import { startObservations } from '../../../src/collectors/reading/observations.ts'
import { readSources } from '../../../src/collectors/sources-file.ts'
import { parseInstant } from '../../../src/lib/instant.ts'

const at = parseInstant('2026-11-23T00:00:00Z')!
const collector = collectorFor('genai-prices')!
const served = readSources().all.find(({ source }) => source === 'genai-prices')!
const errors = served.knownErrors!

const error: KnownError = {
  source: 'list',
  provider: 'acme',
  resource: 'm',
  why: 'Acme does not sell it',
  evidence: 'https://example.com',
  day: '2026-11-23',
}
const declared = (knownErrors: KnownError[]) => ({
  ...sourceDeclaration.parse({ source: 'list', format: 'genai-prices' }),
  knownErrors,
})
const acme = (models: object[]) => Buffer.from(JSON.stringify([{ id: 'acme', name: 'Acme', models }]))
const read = (knownErrors: KnownError[], models: object[]) => {
  const { observations, ignored, unreadable } = collector.parse(acme(models), { source: declared(knownErrors), at })
  return { lines: observations.map(({ resource, dimension }) => `${resource} ${dimension}`), ignored, unreadable }
}
const m = { id: 'm', prices: { input_mtok: 1, output_mtok: 2 } }
const n = { id: 'n', prices: { input_mtok: 1 } }

describe('an entry of a list that is known to be wrong', () => {
  it('is left out when the list is read, and each of its prices is counted with the reason', () => {
    expect(read([error], [m, n])).toMatchObject({
      lines: ['n input_tokens'],
      ignored: [{ reason: 'a known error of the list: Acme does not sell it', count: 2, example: 'acme m' }],
    })
  })

  it('may be one dimension, and is the resource exactly as the list spells it', () => {
    expect(read([{ ...error, dimension: 'output_tokens' }], [m, n]).lines).toEqual(['m input_tokens', 'n input_tokens'])
    expect(read([{ ...error, resource: 'M' }], [m, n]).ignored).toEqual([])
  })

  it('is not even listed as a resource whose price cannot be read', () => {
    const unpriced = { id: 'm', prices: { input_mtok: 'free' } }
    expect(read([error], [unpriced, n]).unreadable).toEqual([])
    expect(read([], [unpriced, n]).unreadable).toHaveLength(1)
  })

  it('is not announced for a later day, and says no facts', () => {
    const later = { constraint: { type: 'start_date', start_date: '2026-12-24' }, prices: { input_mtok: 3 } }
    const dated = ['m', 'n'].map((id) => ({
      id,
      context_window: 1_000,
      prices: [{ prices: { input_mtok: 1 } }, later],
    }))
    const said = (knownErrors: KnownError[]) => {
      const { announced = [], facts = [] } = collector.parse(acme(dated), { source: declared(knownErrors), at })
      return [announced.map(({ observation }) => observation.resource), facts.map(({ resource }) => resource)]
    }
    expect(said([])).toEqual([
      ['m', 'n'],
      ['m', 'n'],
    ])
    expect(said([error])).toEqual([['n'], ['n']])
  })

  it('leaves a list unreadable that says nothing else', () => {
    expect(() => read([error], [m])).toThrow('no prices but known errors')
  })

  it('is left out of lists that are read part by part, too', () => {
    const csv = 'InstanceType,Price,Region\nsmall,1.29,us\nlarge,2.58,us\n'
    const skypilot = collectorFor('skypilot')!
    const lines = (knownErrors: KnownError[]) => {
      const options = { provider: 'acme' }
      const source = { ...sourceDeclaration.parse({ source: 'list', format: 'skypilot', options }), knownErrors }
      const observations = startObservations()
      const reader = skypilot.read!(observations, { source, at })
      reader.push(Buffer.from(csv))
      reader.end()
      const { observations: found, ignored } = observations.done()
      return { resources: [...new Set(found.map(({ resource }) => resource))].sort(), ignored }
    }
    expect(lines([]).resources).toEqual(['large', 'small'])
    const rest = lines([{ ...error, resource: 'small' }])
    expect(rest.resources).toEqual(['large'])
    expect(rest.ignored.map(({ reason }) => reason)).toContain('a known error of the list: Acme does not sell it')
  })
})

describe('the known errors that come with the product', () => {
  const [newest] = bundledSnapshots().slice(-1)
  const listed = (knownErrors: KnownError[]) =>
    collector.parse(newest!.bytes(), { source: { ...served, knownErrors }, at: newest!.at }).observations

  it('each still match a price in the newest bundled release', () => {
    const all = listed([])
    const matches = ({ provider, resource, dimension }: KnownError) =>
      all.some(
        (line) =>
          line.provider === provider &&
          line.resource === resource &&
          (dimension === undefined || line.dimension === dimension),
      )
    expect(errors.filter((known) => !matches(known))).toEqual([])
    expect(errors.length).toBeGreaterThanOrEqual(10)
  })

  it('keep a maker from being quoted at the price of a reseller, in every bundled release', () => {
    const claims = bundledSnapshots().flatMap(({ bytes, at: released }) =>
      collector
        .parse(bytes(), { source: served, at: released })
        .observations.map(({ provider, resource }) => `${provider}:${resource}`),
    )
    for (const claim of ['openai:gpt-oss-120b', 'openai:gpt-4o:extended', 'deepseek:deepseek-v3.2'])
      expect(claims).not.toContain(claim)
    expect(claims).toContain('openrouter:openai/gpt-oss-120b')
  })

  it('are read again by installations that run: who changes their number raises the parser’s version', () => {
    expect([errors.length, collector.parserVersion]).toEqual([17, 8])
  })
})

describe('the file of known errors', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pricetape-known-errors-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const withErrors = (content: unknown) => {
    const sources = join(folder, 'sources.json')
    const list = { source: 'list', format: 'genai-prices', url: 'https://example.com/list.json' }
    writeFileSync(sources, JSON.stringify({ sources: [list] }))
    writeFileSync(join(folder, 'known-errors.json'), JSON.stringify(content))
    return () => readSources(sources)
  }

  it('beside a sources file of one’s own replaces the product’s, and each source knows its own entries', () => {
    const other = { ...error, source: 'other' }
    expect(withErrors({ errors: [error, other] })().all).toMatchObject([{ source: 'list', knownErrors: [error] }])
    expect(withErrors({ errors: [] })().all[0]!.knownErrors).toBeUndefined()
  })

  it('is refused with everything that is wrong in it at once', () => {
    const { evidence: _, ...unproven } = error
    const wrong = [
      { ...error, day: 'lately' },
      unproven,
      error,
      error,
      { ...error, price: 1 },
      { ...error, dimension: 'x' },
    ]
    expect(withErrors({ errors: wrong })).toThrow(
      /errors\.0\.day[\s\S]*errors\.1\.evidence[\s\S]*errors\.3: acme m is listed twice[\s\S]*errors\.4[\s\S]*price[\s\S]*errors\.5\.dimension/,
    )
    expect(withErrors([])).toThrow(/known-errors\.json/)
  })
})
