import '../light-dom.ts'
import type { QueryClient } from '@tanstack/react-query'
import { it } from 'vitest'
import { type Evidence, evidenceQuery } from '../../../src/web/api/prices.ts'
import { compareWithGolden } from '../check-screen.ts'
import { dayIn, daysAgo, knownScreens } from './known.ts'

const { openKnown, shownOf } = knownScreens()

const PRICE: Evidence = {
  ...{ contentHash: 'h1', provider: 'acme', source: 'list', resource: 'gpt', dimension: 'output_tokens' },
  ...{ unit: 'usd_per_token', currency: 'USD', pricingTier: {}, price: '0.0000015', places: 6, per: 'million tokens' },
  ...{ recordedAt: daysAgo(9), status: 'auto_approved', servedFrom: daysAgo(8), rank: 'verified', entered: false },
  ...{ read: { firstReadAt: daysAgo(9) }, witnesses: [] },
}
const witness = {
  ...{ source: 'litellm', rank: 'community' as const, resource: 'acme/gpt', price: '0.0000015', agrees: true },
  ...{ independent: true, since: daysAgo(7), address: 'https://lists.example/prices.json' },
}
const rows = [
  ['Model', 'Input', 'Output'],
  ['mini', '1.50', '1.50'],
  ['gpt', '1.50', '1.50'],
]
const table = { under: ['Prices', 'Batch'], rows, headerRows: 1 }

const open = (more: Partial<Evidence>) => () =>
  openKnown('/evidence/h1', (queryClient: QueryClient) => {
    queryClient.setQueryData(evidenceQuery('h1').queryKey, { ...PRICE, ...more })
  })

it('where a price was read, with all that can be known of it', async () => {
  const parts = await shownOf({
    'a part of a text': open({ place: { text: 'before 1.50 behind', mark: [7, 11] } }),
    'a text without the price': open({ place: { text: 'nothing of it' } }),
    'a table that a person corrected': open({
      ...{ entered: true, rank: 'provider', status: 'withdrawn', servedUntil: daysAgo(2), effectiveFrom: dayIn(-30) },
      ...{ pricingTier: { service: 'batch' }, place: { text: '', table: { ...table, at: [2, 2] } } },
      read: {
        ...{ address: 'npm:lists@1.0.0', firstReadAt: daysAgo(9), snapshot: 'a1', locator: '/table[1]' },
        statedBy: { url: 'https://acme.example/prices', confidence: 'high', validatedOn: dayIn(-3) },
      },
      witnesses: [
        witness,
        { ...witness, source: 'copy', price: '0.000002', agrees: false, independent: false, address: undefined },
        { ...witness, source: 'stating', statedBy: { url: 'https://stated.example/' } },
      ] as Evidence['witnesses'],
    }),
    'a table without the price': open({ place: { text: '', table: { ...table, headerRows: 0 } }, rank: 'community' }),
    'an address without more': open({
      read: { firstReadAt: daysAgo(9), address: 'http://acme.example/', statedBy: { url: 'list' } },
    }),
    'without a snapshot': open({ noPlace: 'no_snapshot' }),
    'whose snapshot was deleted': open({ noPlace: 'snapshot_deleted' }),
    'whose snapshot is large': open({ noPlace: 'too_large' }),
    'whose place is not found': open({}),
  })
  await compareWithGolden('evidence', parts)
})
