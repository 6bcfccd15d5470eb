import { expect, it } from 'vitest'
import { type CollectionResult, noInternet } from '../../src/collecting/internet-rules.ts'

const tried = (host: string, more: Partial<CollectionResult['outcome']>): CollectionResult => ({
  host,
  outcome: { source: host, outcome: 'skipped', durationMs: 1, ...more },
})
const away = (host: string) => tried(host, { unreachable: true })

it('There is no internet when no connection to any of several hosts came about', () => {
  const sentence = noInternet([away('a'), tried('b', { outcome: 'failed', unreachable: true })])
  expect(sentence).toMatch(/^There is no internet here: none of 2 sources could be reached\..* PRICETAPE_OFFLINE=true /)
})

it('A bundled release that stands in for its host, and a source that is being collected, say nothing against that', () => {
  const bundled = tried('b', { outcome: 'changed', from: 'bundled', unreachable: true })
  expect(noInternet([away('a'), bundled, tried('c', {})])).toMatch(
    /^There is no internet here: none of 2 sources could /,
  )
})

it('One host that does not answer has its own trouble', () => {
  expect(noInternet([away('a'), away('a')])).toBeUndefined()
})

it('There is internet as soon as one host answered, whatever its answer was', () => {
  expect(noInternet([away('a'), away('b'), tried('c', { outcome: 'failed' })])).toBeUndefined()
  expect(noInternet([away('a'), away('b'), tried('c', { outcome: 'changed', from: 'url' })])).toBeUndefined()
})

it('Nothing is said when no source was due', () => {
  expect(noInternet([])).toBeUndefined()
})
