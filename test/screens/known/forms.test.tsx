import '../light-dom.ts'
import { afterEach, it } from 'vitest'
import {
  choicesQuery,
  eventExamplesQuery,
  previewQuery,
  type Webhook,
  webhookQuery,
  webhooksQuery,
} from '../../../src/web/api/webhooks.ts'
import { NEW_WEBHOOK, subscriptionOf } from '../../../src/web/pages/webhooks/form/form-values.ts'
import { compareWithGolden, walk } from '../check-screen.ts'
import { knownScreens } from './known.ts'
import { webhook } from './webhook.ts'

const { openKnown, shownOf } = knownScreens()
afterEach(() => sessionStorage.clear())

const documents = [
  { document: 'terms', title: 'Terms' },
  { document: 'privacy', title: 'Privacy' },
]
const choices = (privateEndpoints: boolean) => ({
  providers: [
    { provider: 'acme', name: 'Acme', creditPriced: false, documents },
    { provider: 'credits', name: 'Credits', creditPriced: true, documents: [] },
  ],
  groups: [{ id: 'g1', name: 'GPT', members: 2 }],
  privateEndpoints,
})
type Fixture = {
  search?: string
  owned?: number
  privateEndpoints?: boolean
  events?: [number, Record<string, number>]
}

const created =
  ({ search = '', owned = 0, privateEndpoints = false, events }: Fixture) =>
  () =>
    openKnown(`/webhooks/new?workspace=w1${search}`, (queryClient) => {
      const webhooks = Array.from({ length: owned }, (_, n) => webhook({ id: `h${n}` }))
      queryClient.setQueryData(webhooksQuery('w1').queryKey, { webhooks, most: 2 })
      queryClient.setQueryData(choicesQuery.queryKey, choices(privateEndpoints))
      const examples = ['price.changed', 'tos.changed'].map((type, n) => ({
        type,
        body: `{"n":${n}}`,
        recorded: n === 0,
      }))
      queryClient.setQueryData(eventExamplesQuery.queryKey, { events: examples } as never)
      if (!events) return
      const [count, byType] = events
      queryClient.setQueryData(previewQuery(subscriptionOf(NEW_WEBHOOK)).queryKey, { since: '', events: count, byType })
    })

it('a new webhook about what a page leads from', async () => {
  const shown = await shownOf({
    'about everything, and how much that was': created({
      events: [1_203, { 'resource.added': 1, 'price.changed': 1_200, 'resource.removed': 2 }],
    }),
    'one event': created({ events: [1, { 'price.changed': 1 }], owned: 1 }),
    'no event': created({ events: [0, {}], privateEndpoints: true }),
    'of a workspace that is full': created({ owned: 2 }),
    'about a model': created({ search: '&provider=acme&resource=gpt' }),
    'about a document': created({ search: '&provider=acme&document=privacy' }),
    'about an unknown document': created({ search: '&provider=other&document=lost' }),
    'about a provider': created({ search: '&provider=acme' }),
    'about a group': created({ search: '&group=g1' }),
    'about a group that is gone': created({ search: '&group=g9' }),
  })
  await compareWithGolden('new', shown)
})

it('what is chosen in a new webhook', async () => {
  const name = { field: /^Name/, text: 'Orders' }
  const url = { field: /^URL/, text: ' https://hooks.example.com/ ' }
  const steps = [
    ...[
      'Select all of Alias groups',
      'Select all of Prices',
      'Clear all of Prices',
      { tick: 'A price changes' },
      { tick: 'A legal document changes' },
    ],
    ...[
      'Sample payload of tos.changed',
      'Copy the sample',
      { key: 'Escape' },
      'Sample payload of price.changed',
      { key: 'Escape' },
    ],
    ...[{ field: 'Smallest price change', text: '5' }, name, url, 'Create the webhook', 'Discard changes'],
  ]
  const parts = (await walk(await created({})(), steps)).slice(1)
  await compareWithGolden('chosen-events', parts)
})

const OWN: Partial<Webhook> = {
  ...{ eventTypes: ['price.changed', 'tos.changed'], providers: ['acme', '*'], minSignificance: 'high', minChange: 5 },
  filters: { acme: { resources: ['gpt', 'a/b'], documents: ['terms'] } },
  aliases: [
    { id: 'g1', name: 'GPT', deleted: false },
    { id: 'g2', name: 'Gone', deleted: true },
  ],
}

const settings = (own: Partial<Webhook>) => () =>
  openKnown('/webhooks/h1?workspace=w1&tab=settings', (queryClient) => {
    queryClient.setQueryData(webhookQuery('h1').queryKey, { webhook: webhook(own) })
    queryClient.setQueryData(choicesQuery.queryKey, choices(false))
  })

it('the settings of a webhook, also where someone else saved it', async () => {
  const name = { field: /^Name/, text: 'Mine' }
  const parts = await walk(await settings(OWN)(), [name, 'Save'])
  parts.push(...(await shownOf({ 'with a draft': settings(OWN) })))
  // The draft is of a version that someone else has changed since.
  parts.push(
    ...(await shownOf({
      'saved by someone else': settings({ ...OWN, name: 'Theirs', url: 'https://theirs.example/' }),
    })),
  )
  parts.push(...(await walk(await settings({ ...OWN, name: 'Theirs' })(), ['Discard changes'])).slice(1))
  await compareWithGolden('settings', parts)
})

it('the smallest price change stays as it is typed, also before it is a number', async () => {
  const typed = ['0.%', '0.25%', '.%', '.2%', '%', '1.%', '1.5%'].map((text) => ({
    field: 'Smallest price change',
    text,
  }))
  const steps = [...typed, 'Save', 'Discard changes']
  await compareWithGolden('smallest-change', (await walk(await settings({ minChange: 0.5 })(), steps)).slice(1))
})
