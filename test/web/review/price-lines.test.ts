import { describe, expect, it } from 'vitest'
import { ownSentences, sharedOf, summaryOf } from '../../../src/web/pages/operator/review/prices/price-lines-rules.ts'

const line = (more: object = {}) => ({
  resource: 'm',
  perUnit: 'USD per million tokens',
  reasons: ['Tenfold.'],
  facts: ['The list is new.', 'Two others show 2.'],
  price: '0.00002',
  publishedPrice: '0.000002',
  change: '+900%',
  ...more,
})

describe('the prices of a review item', () => {
  it('say once what is true of all', () => {
    const other = line({ resource: 'n', facts: ['Two others show 2.', 'Its input costs 1.'] })
    expect(sharedOf([line(), other])).toEqual({
      sentences: ['Two others show 2.'],
      perUnit: 'USD per million tokens',
    })
    expect(sharedOf([line(), line({ perUnit: 'EUR per image' })])).toEqual({
      sentences: ['The list is new.', 'Two others show 2.'],
      resource: 'm',
    })
    // Of one price everything stands below it.
    expect(sharedOf([line()]).sentences).toEqual([])
    expect(sharedOf([])).toEqual({ sentences: [] })
  })

  it('say of each what is true of it alone, with its reasons where they differ', () => {
    const other = line({ reasons: ['Above the standard price.'], facts: ['Two others show 2.', 'Its input costs 1.'] })
    const shared = ['Two others show 2.']
    expect(ownSentences(line(), [line(), line()], shared)).toEqual(['The list is new.'])
    expect(ownSentences(other, [line(), other], shared)).toEqual(['Above the standard price.', 'Its input costs 1.'])
  })

  it('are summarized from the smallest change to the largest, with new prices counted apart', () => {
    const lines = [
      line(),
      line({ price: '0.000001', change: '−50%' }),
      line({ resource: 'n', price: '0.0002', change: '+9,900%' }),
      line({ resource: 'n', publishedPrice: undefined, change: undefined }),
    ]
    expect(summaryOf(lines)).toBe('4 prices of 2 resources. 3 changes: −50% to +9,900%. 1 new price.')
    expect(summaryOf([line(), line()])).toBe('2 prices of 1 resource. 2 changes: +900%.')
    expect(summaryOf([line({ publishedPrice: '0', change: undefined })])).toBe('1 price of 1 resource. 1 change.')
    expect(summaryOf([line({ publishedPrice: undefined, change: undefined })])).toBe(
      '1 price of 1 resource. 1 new price.',
    )
  })
})
