import { describe, expect, it } from 'vitest'
import type { SourceFacts } from '../../src/catalog/sources/source-facts-store.ts'
import { witnessesOfRow } from '../../src/evidence/witness-rules.ts'
import type { Instant } from '../../src/lib/instant.ts'
import type { Witness } from '../../src/prices/store/witness-store.ts'

const day = (n: number) => `2026-01-0${n}T00:00:00.000Z` as Instant
const facts = (source: string, more: Partial<SourceFacts> = {}): SourceFacts => ({
  ...{ source, format: 'azure', rank: 'community', speaksFor: null, declared: true, lastReadAt: null, address: null },
  ...more,
})
const witness = (source: string, more: Partial<Witness> = {}): Witness => ({
  ...{ key: '', source, format: 'azure', resource: 'm', price: '2', since: day(1) },
  ...more,
})
const of = (shown: Witness[], known: SourceFacts[], more: { servedUntil?: Instant; format?: string } = {}) => {
  const { format = 'genai-prices', servedUntil } = more
  const row = { provider: 'acme', price: '2', servedUntil }
  return witnessesOfRow(row, format, shown, new Map(known.map((one) => [one.source, one])))
}

describe('what other sources say about a price', () => {
  it('has when each was last read, where, from when its price holds and what it says of its own evidence', () => {
    const proof = { url: 'https://acme.example/prices' }
    const known = facts('a', { lastReadAt: day(3), address: 'https://a.example', rank: 'verified' })
    expect(of([witness('a', { effectiveFrom: '2026-01-01', proof }), witness('b')], [known, facts('b')])).toEqual([
      {
        ...{ source: 'a', rank: 'verified', resource: 'm', price: '2', agrees: true, independent: true, since: day(1) },
        ...{ lastReadAt: day(3), address: 'https://a.example', effectiveFrom: '2026-01-01', statedBy: proof },
      },
      { source: 'b', rank: 'community', resource: 'm', price: '2', agrees: true, independent: true, since: day(1) },
    ])
  })

  it('is in the order of agreement, then of how near they are to the provider, then of their names', () => {
    const ranks = ['community', 'provider', 'verified'] as const
    const known = ranks.flatMap((rank) => [facts(`${rank} b`, { rank }), facts(`${rank} a`, { rank })])
    const price = (source: string) => (source.endsWith(' b') ? '3' : '2')
    const shown = known.map(({ source }) => witness(source, { price: price(source) }))
    const unknown = ['z', 'y'].map((source) => witness(source))
    expect(of([...unknown, ...shown], known).map(({ source, agrees }) => `${source} ${agrees}`)).toEqual([
      ...['provider a true', 'verified a true', 'community a true', 'y true', 'z true'],
      ...['provider b false', 'verified b false', 'community b false'],
    ])
  })

  it('has the rank of a source for the provider alone for which it speaks', () => {
    const known = [
      facts('other', { rank: 'provider', speaksFor: ['globex'] }),
      facts('own', { rank: 'provider', speaksFor: ['acme'] }),
    ]
    const found = of([witness('other'), witness('own')], known)
    expect(found.map(({ source, rank }) => [source, rank])).toEqual([
      ['own', 'provider'],
      ['other', 'community'],
    ])
  })

  it('agrees where the number is the same, however it is written', () => {
    const shown = ['2.0', '2.01', '1'].map((price) => witness(price, { price }))
    expect(of(shown, []).flatMap(({ source, agrees }) => (agrees ? source : []))).toEqual(['2.0'])
  })

  it('leaves out what a source began to show when the price was no longer served', () => {
    const shown = [2, 3, 4].map((n) => witness(`${n}`, { since: day(n) }))
    expect(of(shown, [], { servedUntil: day(3) }).map(({ source }) => source)).toEqual(['2'])
    expect(of(shown, [])).toHaveLength(3)
  })

  it('is not independent where lists copy one another, or are of one format', () => {
    const shown = ['litellm', 'azure', 'openrouter'].map((format) => witness(format, { format }))
    const independent = (format: string) =>
      of(shown, [], { format }).flatMap((one) => (one.independent ? one.source : []))
    expect(independent('genai-prices')).toEqual(['azure', 'openrouter'])
    expect(independent('openrouter')).toEqual(['azure'])
    expect(independent('azure')).toEqual(['litellm', 'openrouter'])
  })
})
