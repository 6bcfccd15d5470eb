import { describe, expect, it } from 'vitest'
import { DAY, type Instant } from '../../../src/lib/instant.ts'
import { familyOf } from '../../../src/prices/plan/evidence/origin-rules.ts'
import { pricesHash } from '../../../src/prices/plan/renames/rename-rules.ts'
import type { Plan } from '../../../src/prices/plan/schema.ts'
import { keyWithinResource } from '../../../src/prices/row-rules.ts'
import type { KnownLine, Observation } from '../../../src/prices/schema.ts'
import { observed } from '../observed.ts'
import { ago, held, input, line, now, others, plan } from './plan-facts.ts'

describe('the plan of a snapshot', () => {
  const published = ({ publish }: Plan) => publish.map(({ line: { resource } }) => resource)
  const holds = ({ hold }: Plan) => hold.map(({ proposal, verdict }) => [proposal.line.resource, verdict.reasons])

  it('publishes ordinary changes and revisions, each with its verdict', () => {
    const known = [line(input('m1', '0.000002')), line(input('m2', '0.000001'))]
    const result = plan(known, [input('m1', '0.0000015'), input('m2', '0.000001', { category: 'chat' })])
    expect(published(result)).toEqual(['m2', 'm1'])
    expect([...result.verdicts.values()]).toMatchObject([{ reasons: [], wait: { since: now, fetches: 1 } }])
    expect(result.hold).toEqual([])
  })

  it('publishes of a first snapshot what is not implausible', () => {
    const result = plan([], [input('m1', '0.000002'), input('m2', '5')], { first: true })
    expect(published(result)).toEqual(['m1'])
    expect(holds(result)).toEqual([['m2', ['implausible_price']]])
  })

  it('holds a change by four for a day and three fetches, with all that changed beside it', () => {
    const output = (price: string) => observed('m1', 'output_tokens', price)
    const known = [line(input('m1', '0.000004')), line(output('0.000008')), ...others(9).map((seen) => line(seen))]
    const seen = [input('m1', '0.000001'), output('0.000007'), ...others(9)]
    expect(holds(plan(known, seen))).toEqual([
      ['m1', ['large_change']],
      ['m1', ['with_its_set']],
    ])
    const waits = (since: Instant, fetches: number) => {
      const of = { wait: { since, fetches } }
      const lines = [
        { ...known[0]!, ...held('0.000001', of) },
        { ...known[1]!, ...held('0.000007', of) },
        ...known.slice(2),
      ]
      const { released, waiting } = plan(lines, seen)
      return [released.length, waiting.length, (released[0] ?? waiting[0])!.verdict.wait.fetches]
    }
    expect(waits(ago(DAY), 2)).toEqual([2, 0, 3])
    expect(waits(ago(DAY - 1), 2)).toEqual([0, 2, 3])
    expect(waits(ago(DAY), 1)).toEqual([0, 2, 2])
  })

  it('begins to count again when a part of a held set is no longer repeated', () => {
    const known = [
      line(input('m1', '0.000004'), held('0.000001')),
      line(observed('m1', 'output_tokens', '0.000008'), held('0.000002')),
    ]
    const { released, waiting, superseded } = plan(known, [
      input('m1', '0.000001'),
      observed('m1', 'output_tokens', '0.000008'),
    ])
    expect(released).toEqual([])
    expect(waiting.map(({ verdict }) => verdict.wait)).toEqual([{ since: now, fetches: 1 }])
    expect(superseded).toEqual([known[1]])
  })

  it('counts a set from its youngest part', () => {
    const of = (since: Instant, fetches: number) => held('0.000001', { wait: { since, fetches } })
    const known = [
      line(input('m1', '0.000004'), of(ago(3 * DAY), 5)),
      line(observed('m1', 'output_tokens', '0.000008'), of(ago(2 * DAY), 3)),
    ]
    const { released } = plan(known, [input('m1', '0.000001'), observed('m1', 'output_tokens', '0.000001')])
    expect(released.map(({ verdict }) => verdict.wait)).toEqual([
      { since: ago(2 * DAY), fetches: 4 },
      { since: ago(2 * DAY), fetches: 4 },
    ])
  })

  it('does not list a removed line again before the changes beside it are published', () => {
    const cached = (price: string, more: Partial<Observation> = {}) => observed('m1', 'cache_read_tokens', price, more)
    const removed = { missingCount: 9, removedAt: ago(DAY) }
    const seen = (output: string, more: Partial<Observation> = {}) => [
      input('m1', '0.000001'),
      observed('m1', 'output_tokens', output),
      cached('0.0000001', more),
      ...others(9),
    ]
    const known = [
      line(input('m1', '0.000001')),
      line(observed('m1', 'output_tokens', '0.000008')),
      line(cached('0.0000001'), removed),
      line(input('m2', '0.000001'), removed),
      ...others(9).map((one) => line(one)),
    ]
    const again = (output: string, more: Partial<Observation> = {}) => {
      const { confirmed, publish } = plan(known, [...seen(output, more), input('m2', '0.000001')])
      return [...confirmed, ...publish.map(({ line }) => line)].map(({ resource, dimension }) => [resource, dimension])
    }
    const elsewhere = ['m2', 'input_tokens']
    expect(again('0.000002')).toEqual([elsewhere])
    expect(again('0.000002', { category: 'chat' })).toEqual([elsewhere])
    expect(again('0.000008')).toEqual([['m1', 'cache_read_tokens'], elsewhere])
    expect(again('0.000007')).toEqual([['m1', 'cache_read_tokens'], elsewhere, ['m1', 'output_tokens']])
  })

  it('confirms a listed line beside changes that are held', () => {
    const known = [
      line(input('m1', '0.000004')),
      line(observed('m1', 'output_tokens', '0.000008'), { missingSince: ago(DAY), missingCount: 2 }),
    ]
    const { confirmed } = plan(known, [input('m1', '0.000001'), observed('m1', 'output_tokens', '0.000008')])
    expect(confirmed).toEqual([known[1]])
  })

  it('leaves a price that a person decided about, and one that cannot be read', () => {
    const decided = line(input('m1', '0.000004'), { ...held('0.000001'), decidedPrice: '0.000001' })
    const unread = line(input('m2', '0.000004'))
    const result = plan([decided, unread], [input('m1', '0.000001')], {}, [
      { provider: 'acme', resource: 'm2', locator: '/', text: 'soon' },
    ])
    expect(result.unjudged).toEqual([decided, unread])
    expect(result.waiting).toEqual([])
    expect(result.toReview).toEqual([
      {
        provider: 'acme',
        kind: 'unreadable',
        reason: 'unreadable_price',
        resources: ['m2'],
        texts: ['m2 input_tokens {} = soon'],
      },
    ])
  })

  it('lists a removed line again that is back at a price which a person rejected, unless that price is held', () => {
    const removed = { missingCount: 9, removedAt: ago(DAY), decidedPrice: '0.000009' }
    const rejected = line(input('m1', '0.000004'), removed)
    const doubted = line(input('m2', '0.000004'), { ...removed, ...held('0.000009') })
    const here = line(input('m3', '0.000004'), { decidedPrice: '0.000009' })
    const seen = ['m1', 'm2', 'm3'].map((name) => input(name, '0.000009'))
    const { confirmed, unjudged } = plan([rejected, doubted, here], seen)
    expect(confirmed).toEqual([rejected])
    expect(unjudged).toEqual([doubted, here])
  })

  it('publishes what was held of a resource that continues another, with why it was held', () => {
    const old = line(input('falcon-9', '0.0077'))
    const waits = line(input('Falcon_9', '0.0077'), {
      ...held('0.0077', { reasons: ['unusual_first_price'] }),
      current: undefined,
    })
    const young = { since: ago(1), fetches: 1 }
    const other = line(input('m2', '0.000004'), held('0.000001', { wait: young }))
    const seen = [input('Falcon_9', '0.0077'), input('m2', '0.000001'), ...others(20)]
    const named = { provider: 'acme', resource: 'Falcon_9', isFree: false, since: undefined }
    const known = [old, waits, other, ...others(20).map((one) => line(one))]
    const prices = pricesHash(new Map([[keyWithinResource(old), '0.0077']]))
    for (const quiet of [false, true]) {
      const { renamed, released, waiting, unjudged } = plan(known, seen, { seen: [{ ...named, prices }], quiet })
      expect(renamed.map(({ from, to }) => [from, to])).toEqual([['falcon-9', 'Falcon_9']])
      expect(released).toEqual([
        {
          line: waits,
          verdict: { reasons: ['unusual_first_price'], wait: waits.held!.wait, judgedAgainAt: now },
          renamedFrom: 'falcon-9',
        },
      ])
      expect([...waiting.map(({ line }) => line), ...unjudged]).toEqual([other])
    }
  })

  it('asks whether a resource continues under a name with a price that a person decided against', () => {
    const old = line(input('falcon-9', '0.0077'))
    const prices = pricesHash(new Map([[keyWithinResource(old), '0.0077']]))
    const named = { provider: 'acme', resource: 'Falcon_9', prices }
    const renamedBeside = (more: Partial<KnownLine>, reread = false) => {
      const decided = line(input('Falcon_9', '0.0077'), { current: undefined, ...more })
      const rest = others(20)
      const known = [old, decided, ...rest.map((one) => line(one))]
      const found = plan(known, [input('Falcon_9', '0.0077'), ...rest], { seen: [named], reread, quiet: reread })
      return [found.renamed.length, found.toReview.map(({ reason }) => reason)]
    }
    const asked = [0, ['possible_rename']]
    expect(renamedBeside({ decidedPrice: '0.0077' })).toEqual(asked)
    expect(renamedBeside({ decidedPrice: '0.0088', refusedPrices: ['0.0077'] })).toEqual(asked)
    expect(renamedBeside({ decidedPrice: '0.0088' })).toEqual([1, []])
    expect(renamedBeside({ decidedPrice: '0.0088', ...held('0.0077') })).toEqual([1, []])
    expect(renamedBeside({ decidedPrice: '0.0077' }, true)).toEqual([0, []])
    expect(renamedBeside({ ...held('0.0077') }, true)).toEqual([1, []])
  })

  it('holds a fifth and more of the resources of a provider as one change, five at least', () => {
    const known = Array.from({ length: 20 }, (_, n) => line(input(`m${n}`, '0.000004')))
    const changed = (count: number) =>
      known.map(({ resource }, n) => input(resource, n < count ? '0.000003' : '0.000004'))
    expect(plan(known, changed(4)).hold).toEqual([])
    const five = plan(known, changed(5))
    expect(five.hold.map(({ inMassChange, verdict }) => [inMassChange, verdict.reasons])).toEqual(
      Array(5).fill([true, ['mass_change']]),
    )
    expect(published(plan(known, changed(5), { quiet: true }))).toHaveLength(5)
  })

  it('holds a provider of which three prices flipped their unit', () => {
    const known = Array.from({ length: 40 }, (_, n) => line(input(`m${n}`, '0.000004')))
    const flipped = (count: number) =>
      known.map(({ resource }, n) => input(resource, n < count ? '0.00000004' : '0.000004'))
    expect(holds(plan(known, flipped(2)))).toEqual([
      ['m0', ['power_of_ten']],
      ['m1', ['power_of_ten']],
    ])
    expect(plan(known, flipped(3)).hold.map(({ verdict }) => verdict.reasons)).toEqual(
      Array(3).fill(['power_of_ten', 'provider_flipped_unit']),
    )
  })

  it('holds a price that goes back to what it was within days', () => {
    const known = [line(input('m1', '0.000004'))]
    const recentPrices = new Map([[known[0]!.lineId, { prices: ['0.000003'], isFirst: false }]])
    expect(holds(plan(known, [input('m1', '0.000003')], { recentPrices }))).toEqual([['m1', ['flips_back']]])
    expect(plan(known, [input('m1', '0.000003')]).hold).toEqual([])
  })

  it('holds a new line that differs from a missing one in its currency or unit alone', () => {
    const known = [line(input('m1', '0.000004')), line(observed('m2', 'output_tokens', '0.000004'))]
    const result = plan(known, [
      input('m1', '0.000004', { currency: 'EUR', unit: 'eur_per_token' }),
      observed('m2', 'output_tokens', '0.000004', { unit: 'usd_per_character' }),
    ])
    expect(holds(result)).toEqual([
      ['m1', ['currency_changed']],
      ['m2', ['unit_changed']],
    ])
    // The old line stays as it is until someone decided.
    expect(result.missing).toEqual([])
  })
})

describe('the family of a source', () => {
  it('are the lists that copy each other: a witness from it proves nothing', () => {
    const copies = ['litellm', 'models-dev', 'genai-prices', 'llm-prices']
    expect(familyOf('litellm')).toEqual(copies)
    expect(familyOf('llm-prices')).toEqual(copies)
    expect(familyOf('openrouter')).toEqual(['openrouter', ...copies])
    // What one seller charges says nothing against what another one does.
    expect(familyOf('venice')).toEqual(['venice', ...copies])
    expect(familyOf('azure')).toEqual(['azure'])
  })
})
