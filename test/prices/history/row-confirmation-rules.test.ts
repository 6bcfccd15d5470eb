import { describe, expect, it } from 'vitest'
import { confirmationOf } from '../../../src/prices/confirmation/confirmation-rules.ts'
import { isUnsaid, unsaidLines } from '../../../src/prices/confirmation/said-rules.ts'
import type { RowFacts, Statement } from '../../../src/prices/confirmation/schema.ts'
import type { Plan, Proposal } from '../../../src/prices/plan/schema.ts'
import type { KnownLine } from '../../../src/prices/schema.ts'

const line = (resource: string): KnownLine => ({
  provider: 'acme',
  resource,
  dimension: 'input_tokens',
  unit: 'usd_per_token',
  currency: 'USD',
  pricingTier: '{}',
  lineId: resource,
  missingCount: 0,
})
const proposal = (known: KnownLine | undefined, kind: Proposal['kind']): Proposal => ({
  key: '',
  line: line(known?.resource ?? 'new'),
  known,
  money: { price: '2' },
  locator: '/',
  kind,
})

describe('the lines of which a snapshot says something else', () => {
  const nothing = { proposals: [], waiting: [], missing: [], unreadable: [] }
  const none: Pick<Plan, 'publish' | 'released'> = { publish: [], released: [] }

  it('are those with another price, without one, or with one that cannot be read', () => {
    const changed = proposal(line('changed'), 'changed')
    const diff = {
      proposals: [changed, proposal(line('revised'), 'revised'), proposal(undefined, 'new')],
      waiting: [line('waiting')],
      missing: [line('missing')],
      unreadable: [{ line: line('unreadable'), text: 'N/A' }],
    }
    expect(unsaidLines(diff, none)).toEqual(['changed', 'waiting', 'missing', 'unreadable'])
  })

  it('are none that are published now', () => {
    const [changed, waiting] = [proposal(line('changed'), 'changed'), line('waiting')]
    const verdict = { reasons: [], wait: { since: '' as never, fetches: 1 }, judgedAgainAt: '' as never }
    const plan = { publish: [changed], released: [{ line: waiting, verdict }] }
    expect(unsaidLines({ ...nothing, proposals: [changed], waiting: [waiting] }, plan)).toEqual([])
  })

  it('show in the state of a line that is held, missing or decided, unless it is removed', () => {
    const state = { lineId: '1', missingCount: 0 }
    const at = '2026-01-01T00:00:00.000Z' as never
    expect(isUnsaid(state)).toBe(false)
    for (const more of [{ heldHash: 'h' }, { missingSince: at }, { decidedPrice: '1' }]) {
      expect(isUnsaid({ ...state, ...more })).toBe(true)
      expect(isUnsaid({ ...state, ...more, removedAt: at })).toBe(false)
    }
  })
})

describe('what is said of a row', () => {
  const facts = (more: Partial<RowFacts> = {}): RowFacts => ({
    contentHash: 'h',
    lineId: '1',
    provider: 'acme',
    source: 'own',
    format: 'own-format',
    rank: 'community',
    price: '1',
    said: true,
    waits: false,
    others: [],
    basis: '0',
    ...more,
  })
  const other = (source: string, price: string, more: Partial<Statement> = {}): Statement => ({
    source,
    format: `${source}-format`,
    rank: 'community',
    price,
    isHeld: false,
    ...more,
  })
  const since = '2026-01-01T00:00:00.000Z' as never

  it('is nothing beside its source where no one else says anything', () => {
    expect(confirmationOf(facts())).toBeUndefined()
  })

  it('names those that agree after a comma, for its own source comes first, and those that do not with their price', () => {
    const said = confirmationOf(facts({ others: [other('a', '1'), other('b', '2', { rank: 'verified' })] }))
    expect(said).toEqual({
      said: true,
      contradictedSince: undefined,
      agree: ',{"source":"a","rank":"community"}',
      disagree: '{"source":"b","rank":"verified","price":"2"}',
      byProvider: false,
      independent: false,
      independentOfOwn: true,
    })
  })

  it('names its own source first among those that disagree, and no price that waits for review', () => {
    expect(confirmationOf(facts({ said: false, others: [other('b', '3')] }))?.disagree).toBe(
      '{"source":"own","rank":"community"},{"source":"b","rank":"community","price":"3"}',
    )
    const held = [other('a', '2', { isHeld: true }), other('b', '1', { isHeld: true })]
    expect(confirmationOf(facts({ others: held }))).toMatchObject({
      agree: ',{"source":"b","rank":"community"}',
      disagree: '{"source":"a","rank":"community","held":true}',
    })
    expect(confirmationOf(facts({ said: false, waits: true }))?.disagree).toBe(
      '{"source":"own","rank":"community","held":true}',
    )
  })

  it('is said of a contradicted row whoever else is silent', () => {
    expect(confirmationOf(facts({ contradictedSince: since }))).toMatchObject({ contradictedSince: since, agree: '' })
  })

  it('takes a price that is only written differently for the same', () => {
    const said = confirmationOf(facts({ price: '0.3', others: [other('a', '0.30000000000000004')] }))
    expect(said).toMatchObject({ disagree: '', agree: ',{"source":"a","rank":"community"}' })
  })

  it('knows whether a provider itself agrees, and not where it disagrees', () => {
    const provider = { rank: 'provider' as const }
    expect(confirmationOf(facts({ others: [other('a', '1', provider)] }))?.byProvider).toBe(true)
    expect(confirmationOf(facts({ others: [other('a', '2', provider), other('b', '1')] }))?.byProvider).toBe(false)
  })

  it.each([
    ['own-format', ['a-format', 'b-format'], true, true],
    ['own-format', ['own-format', 'own-format'], false, false],
    ['own-format', ['own-format', 'a-format'], true, true],
    // Lists that people keep copy each other, and sellers' own lists.
    ['litellm', ['models-dev'], false, false],
    ['openrouter', ['models-dev'], false, false],
    ['models-dev', ['openrouter'], false, false],
    ['openrouter', ['deepinfra'], true, false],
    ['litellm', ['models-dev', 'ai-price-index'], true, true],
  ])('of format %s beside %j is of another origin than its own: %s; two others: %s', (format, others, own, two) => {
    const said = confirmationOf(facts({ format, others: others.map((one, n) => other(`s${n}`, '1', { format: one })) }))
    expect([said?.independentOfOwn, said?.independent]).toEqual([own, two])
  })
})
