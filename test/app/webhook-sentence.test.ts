import { describe, expect, it } from 'vitest'
import { countInWords, EVENT_GROUPS } from '../../src/web/pages/webhooks/form/event-words.ts'
import {
  inputOf,
  mergedValues,
  NEW_WEBHOOK,
  subscriptionOf,
  type WebhookValues,
} from '../../src/web/pages/webhooks/form/form-values.ts'
import { whatArrives } from '../../src/web/pages/webhooks/form/sentence.ts'

const say = (values: Partial<WebhookValues>) =>
  whatArrives({ ...NEW_WEBHOOK, eventTypes: ['price.changed', 'tos.changed'], ...values }, (id) => id.toUpperCase())

describe('what a webhook’s form says', () => {
  it('names events and providers, and what narrows them', () => {
    expect(say({})).toBe('Price changes and changed documents of every provider.')
    expect(say({ scope: 'named', providers: ['openai', 'aws'] })).toBe(
      'Price changes and changed documents of OPENAI and AWS.',
    )
    expect(say({ resources: ['openai/gpt-5', 'openai/a/b'], documents: ['openai/terms'] })).toBe(
      "Price changes and changed documents of every provider; of OPENAI only gpt-5 and a/b; of OPENAI's documents only terms.",
    )
    expect(say({ minSignificance: 'high' })).toBe(
      'Price changes and changed documents of every provider; changes of documents only of high significance.',
    )
    expect(say({ minChange: 5, eventTypes: ['price.changed'] })).toBe(
      'Price changes of every provider; price changes only of at least 5%.',
    )
    expect(say({ minChange: 0.1 })).toContain('price changes only of at least 0.1%')
    expect(say({ minChange: 0 })).not.toContain('%')
    expect(say({ minChange: 5, eventTypes: ['resource.added'] })).not.toContain('5%')
    expect(say({ minSignificance: 'medium' })).toContain('changes of documents only of medium and high significance.')
    expect(say({ minSignificance: 'high', eventTypes: ['price.changed'] })).toBe('Price changes of every provider.')
    expect(say({ aliases: ['g1'], resources: ['openai/gpt-5'] })).toContain('prices only of G1; of OPENAI and gpt-5')
    expect(say({ resources: ['1', '2', '3', '4', '5'].map((name) => `aws/${name}`) })).toContain(
      'only 5 models and machines',
    )
  })

  it('says everything for all events, and names the one that is sent only where it is chosen', () => {
    const all = EVENT_GROUPS.flatMap(({ types }) => types.map(({ type }) => type as string))
    const usual = all.filter((type) => type !== 'price.announced')
    expect(all).toHaveLength(11)
    expect(say({ eventTypes: usual })).toBe('Everything of every provider.')
    expect(say({ eventTypes: all })).toBe('Everything and announced prices of every provider.')
    expect(say({ eventTypes: ['price.announced', 'price.changed'] })).toBe(
      'Announced prices and price changes of every provider.',
    )
    expect(NEW_WEBHOOK.eventTypes).not.toContain('price.announced')
  })

  it('counts events', () => {
    expect([countInWords('resource.removed', 1), countInWords('price.changed', 1200)]).toEqual([
      '1 removed model or machine',
      '1,200 price changes',
    ])
  })

  it('says what is missing', () => {
    expect(say({ eventTypes: [] })).toBe('Nothing: choose at least one event.')
    expect(say({ scope: 'named' })).toBe('Nothing: choose at least one provider.')
  })

  it('sends a name with slashes whole, and shows a refusal beside its input', () => {
    expect(subscriptionOf({ ...NEW_WEBHOOK, resources: ['openai/a/b'], providers: ['credits'] })).toMatchObject({
      providers: ['*', 'credits'],
      filters: { openai: { resources: ['a/b'], documents: [] } },
    })
    expect(['filters.openai', 'filters.openai.documents', 'aliases', 'url'].map(inputOf)).toEqual([
      'resources',
      'documents',
      'aliases',
      'url',
    ])
  })
})

describe('a form whose webhook someone else saved', () => {
  const base = { ...NEW_WEBHOOK, name: 'A', url: 'https://a.example/' }

  it('keeps what is typed, takes the rest from them, and names what differs', () => {
    const mine = { ...base, name: 'Mine' }
    const theirs = { ...base, name: 'Theirs', url: 'https://b.example/', eventTypes: ['tos.changed'] }
    expect(mergedValues(base, mine, theirs)).toEqual({
      values: { ...theirs, name: 'Mine' },
      changed: ['name', 'URL', 'events'],
    })
  })

  it('has nothing to say when they changed nothing, or to what is typed here', () => {
    const mine = { ...base, name: 'Same' }
    expect(mergedValues(base, mine, base)).toEqual({ values: mine, changed: [] })
    expect(mergedValues(base, mine, mine)).toEqual({ values: mine, changed: [] })
  })
})
