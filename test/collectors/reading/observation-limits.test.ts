import { describe, expect, it } from 'vitest'
import { SAME_AGAIN, startObservations } from '../../../src/collectors/reading/observations.ts'
import type { Quote } from '../../../src/collectors/reading/quote-rules.ts'
import type { Instant } from '../../../src/lib/instant.ts'
import type { Observation, UnreadablePrice } from '../../../src/prices/schema.ts'
import { allLines } from '../support.ts'

const quoted: Quote = { provider: 'p', resource: 'r', dimension: 'input_tokens', amount: 1, locator: '/0' }
/** What is left out of prices that stand beside a good one, and why. */
function leftOut(...more: Partial<Quote>[]): string[] {
  const observed = startObservations()
  for (const one of [{}, ...more]) observed.price({ ...quoted, ...one })
  const [, , ...lines] = allLines(observed.done())
  return lines
}
const long = (length: number) => 'x'.repeat(length)

describe('a price is left out', () => {
  it.each<[what: string, price: Partial<Quote>, line: string]>([
    ['its provider is not a slug', { provider: 'A B' }, 'ignored 1: a provider whose name is not a slug (A B at /0)'],
    ['its resource has no name', { resource: '  ' }, 'ignored 1: a resource name that is empty or too long (at /0)'],
    [
      'its resource has half a character',
      { resource: 'a\ud800' },
      'ignored 1: a name that holds NUL or half a character (a  at /0)',
    ],
    ['its tier has NUL', { tier: { region: '\0' } }, 'ignored 1: a name that holds NUL or half a character (r at /0)'],
    ['its tier is too long', { tier: { region: long(201) } }, 'ignored 1: a tier whose value is too long (r at /0)'],
    ['its currency is unknown', { currency: 'dollars' }, 'ignored 1: an unknown currency (dollars at /0)'],
  ])('where %s', (_what, price, line) => {
    expect(leftOut(price)).toEqual([line])
  })

  it('where its name has more than 300 characters, or a value of its tier more than 200', () => {
    expect(leftOut({ resource: long(301) })[0]).toMatch(
      /^ignored 1: a resource name that is empty or too long \(x{199}…\)$/,
    )
    const observed = startObservations()
    observed.price({ ...quoted, resource: long(300) })
    observed.price({ ...quoted, tier: { region: long(200) } })
    expect(observed.done().observations).toHaveLength(2)
  })
})

describe('a line whose price cannot be read', () => {
  it('is listed with what stands there, unless its name cannot be stored', () => {
    expect(leftOut({ resource: 'm ', amount: 'free', currency: 'EUR', tier: { region: 'eu' } })).toEqual([
      'unreadable p m dimension=input_tokens unit=eur_per_token currency=EUR pricingTier={"region":"eu"} = "free" @ /0',
      'ignored 1: a price that is not a number (m  input_tokens = "free" at /0)',
    ])
  })

  it('is counted with its reason, whether it is a zero, a resource or an amount below zero', () => {
    const observed = startObservations()
    observed.price({ ...quoted, unit: 'usd_per_moon' })
    observed.zero({ ...quoted, resource: 'z', amount: 0, unit: 'usd_per_moon' }, 'nothing is said')
    observed.unpriced('p', ' u ', 'no price', 'a\0b')
    for (const name of ['', long(301), '\0']) observed.unpriced('p', name, 'no price', '/2')
    observed.price({ ...quoted, resource: 'n', amount: '-0.5' })
    observed.price({ ...quoted, resource: 'o', amount: { a: '\0' } })
    expect(allLines(observed.done())).toEqual([
      'provider p p',
      'p r input_tokens usd_per_moon USD {} 1 @ /0',
      'unreadable p z dimension=input_tokens unit=usd_per_moon currency=USD pricingTier={} = 0 @ /0',
      'unreadable p u = no price @ a\ufffdb',
      'unreadable p n dimension=input_tokens unit=usd_per_token currency=USD pricingTier={} = "-0.5" @ /0',
      'unreadable p o dimension=input_tokens unit=usd_per_token currency=USD pricingTier={} = {"a":"\ufffd"} @ /0',
      'ignored 1: nothing is said (p z input_tokens at /0)',
      'ignored 4: no price (p  u)',
      'ignored 1: a negative price: the source’s mark for a dynamic one (n input_tokens = "-0.5" at /0)',
      'ignored 1: a price that is not a number (o input_tokens = {"a":"\ufffd"} at /0)',
    ])
  })
})

describe('what a list says beside its prices', () => {
  it('is cut where it is long: reasons, examples, notes and addresses', () => {
    const observed = startObservations()
    observed.ignore(long(121), long(201))
    observed.provider('p', long(301))
    observed.price({
      ...quoted,
      category: long(301),
      billingCondition: 'a\0',
      proof: { url: long(2_001), confidence: long(301), validatedOn: long(301) },
    })
    const read = observed.done()
    expect(read.ignored).toEqual([{ reason: `${long(119)}…`, count: 1, example: `${long(199)}…` }])
    expect(read.providers).toEqual([{ provider: 'p', name: long(300) }])
    expect(read.observations[0]).toMatchObject({
      category: long(300),
      billingCondition: 'a\ufffd',
      proof: { url: long(2_000), confidence: long(300), validatedOn: long(300) },
    })
  })

  it('has 500 reasons: all further ones are one', () => {
    const observed = startObservations()
    observed.price(quoted)
    for (let n = 0; n < 502; n++) observed.ignore(`reason ${n}`, `example ${n}`)
    observed.ignore('reason 0', 'again')
    const { ignored } = observed.done()
    expect(ignored).toHaveLength(501)
    expect(ignored[0]).toEqual({ reason: 'reason 0', count: 2, example: 'example 0' })
    expect(ignored.at(-1)).toEqual({ reason: 'other reasons', count: 2, example: 'example 500' })
  })

  it('names the earliest of the prices that take effect later, and providers with a price', () => {
    const observed = startObservations()
    observed.provider('q', 'Q')
    observed.price(quoted)
    for (const day of [3, 2, 4]) observed.later(`2027-01-0${day}T00:00:00.000Z` as Instant, `day ${day}`)
    expect(allLines(observed.done())).toEqual([
      'provider p p',
      'p r input_tokens usd_per_token USD {} 1 @ /0',
      'ignored 3: a price that takes effect later: it is read when it does (day 3)',
      'ignored 1: a provider without any price (q)',
      'next 2027-01-02T00:00:00.000Z',
    ])
  })
})

describe('of two prices of one line', () => {
  it('the one of the lower rank is taken, whichever comes first', () => {
    const read = (...ranks: (string | undefined)[]) => {
      const observed = startObservations()
      for (const rank of ranks) observed.price({ ...quoted, amount: rank === 'b' ? 2 : 1, rank })
      return observed.done().observations.map(({ price }) => price)
    }
    expect([read('b', 'a'), read('a', 'b'), read('b', undefined), read(undefined, 'b')]).toEqual([
      ['1'],
      ['1'],
      ['1'],
      ['1'],
    ])
    expect(read('b')).toEqual(['2'])
    const observed = startObservations()
    observed.price({ ...quoted, amount: 2, rank: '!' })
    observed.price({ ...quoted, amount: 1 })
    expect(observed.done().observations[0]?.price).toBe('1')
  })

  it('the other is left out and counted, lines of another dimension, unit or currency are not', () => {
    const observed = startObservations()
    observed.price(quoted)
    for (const more of [
      {},
      { unit: 'usd_per_moon' },
      { currency: 'EUR' },
      { dimension: 'output_tokens' },
      { provider: 'q' },
    ] as const)
      observed.price({ ...quoted, ...more })
    const read = observed.done()
    expect(read.observations).toHaveLength(5)
    expect(read.ignored).toEqual([{ reason: SAME_AGAIN, count: 1, example: 'r input_tokens at /0' }])
  })

  it('both go to a receiver that keeps each line itself', () => {
    const prices: [Observation, string | undefined][] = []
    const unreadable: UnreadablePrice[] = []
    const observed = startObservations({
      price: (one, rank) => prices.push([one, rank]),
      unreadable: (one) => unreadable.push(one),
    })
    observed.price({ ...quoted, rank: 'b' })
    observed.price(quoted)
    observed.unpriced('p', 'u', 'no price', '/1')
    expect(prices.map(([{ price }, rank]) => [price, rank])).toEqual([
      ['1', 'b'],
      ['1', undefined],
    ])
    expect(unreadable.map(({ resource }) => resource)).toEqual(['u'])
    expect(observed.done()).toMatchObject({ observations: [], unreadable: [] })
  })
})
