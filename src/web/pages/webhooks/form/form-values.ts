import type { SubscriptionBody, Webhook, WebhookBody } from '../../../api/webhooks.ts'

const EVERY_PROVIDER = '*'

/** What the form holds. A resource is `provider/name`: no provider's slug has a slash. */
export type WebhookValues = {
  name: string
  url: string
  eventTypes: string[]
  scope: 'every' | 'named'
  providers: string[]
  resources: string[]
  documents: string[]
  aliases: string[]
  minSignificance: Webhook['minSignificance']
  minChange: number
}

export const NEW_WEBHOOK: WebhookValues = {
  name: '',
  url: '',
  eventTypes: ['price.changed', 'resource.added', 'resource.removed'],
  scope: 'every',
  providers: [],
  resources: [],
  documents: [],
  aliases: [],
  minSignificance: 'low',
  minChange: 0,
}

/** Returns what a provider's part and the name's part of a choice are. */
export function splitChoice(choice: string): [provider: string, name: string] {
  const slash = choice.indexOf('/')
  return [choice.slice(0, slash), choice.slice(slash + 1)]
}

export function valuesOf(webhook: Webhook): WebhookValues {
  const { name, url, eventTypes, providers, filters, aliases, minSignificance, minChange } = webhook
  const choices = (kind: 'resources' | 'documents') =>
    Object.entries(filters).flatMap(([provider, filter]) => filter[kind].map((entry) => `${provider}/${entry}`))
  return {
    name,
    url,
    eventTypes,
    scope: providers.includes(EVERY_PROVIDER) ? 'every' : 'named',
    providers: providers.filter((provider) => provider !== EVERY_PROVIDER),
    resources: choices('resources'),
    documents: choices('documents'),
    aliases: aliases.map(({ id }) => id),
    minSignificance,
    minChange,
  }
}

export function subscriptionOf(values: WebhookValues) {
  const { eventTypes, scope, providers, resources, documents, aliases, minSignificance, minChange } = values
  const filters: Record<string, { resources: string[]; documents: string[] }> = {}
  const filterOf = (provider: string) => {
    filters[provider] ??= { resources: [], documents: [] }
    return filters[provider]
  }
  for (const [provider, name] of resources.map(splitChoice)) filterOf(provider).resources.push(name)
  for (const [provider, name] of documents.map(splitChoice)) filterOf(provider).documents.push(name)
  const covered = scope === 'every' ? [EVERY_PROVIDER, ...providers] : providers
  const types = eventTypes as SubscriptionBody['eventTypes']
  return { eventTypes: types, providers: covered, filters, aliases, minSignificance, minChange }
}

export const bodyOf = (values: WebhookValues): WebhookBody => ({
  name: values.name,
  url: values.url.trim(),
  ...subscriptionOf(values),
})

/** What the inputs are called in sentences. */
const INPUT_NAMES: Record<keyof WebhookValues, string> = {
  name: 'name',
  url: 'URL',
  eventTypes: 'events',
  scope: 'providers',
  providers: 'providers',
  resources: 'models and machines',
  documents: 'documents',
  aliases: 'alias groups',
  minSignificance: 'significance of documents',
  minChange: 'smallest price change',
}

/**
 * Returns what a form shows when someone else has saved the webhook: their values where nothing was typed here, and
 * one's own elsewhere. `changed` names what they changed to something else than is typed here.
 */
export function mergedValues(base: WebhookValues, mine: WebhookValues, theirs: WebhookValues) {
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  const fields = (Object.keys(base) as (keyof WebhookValues)[]).filter((field) => !same(base[field], theirs[field]))
  const untouched = fields.filter((field) => same(base[field], mine[field]))
  const values: WebhookValues = { ...mine, ...Object.fromEntries(untouched.map((field) => [field, theirs[field]])) }
  const changed = fields.filter((field) => !same(mine[field], theirs[field]))
  return { values, changed: [...new Set(changed.map((field) => INPUT_NAMES[field]))] }
}

/** A refusal names a field of the request; the form shows it beside the input that holds it. */
export const inputOf = (field: string): string =>
  field.startsWith('filters') ? (field.endsWith('.documents') ? 'documents' : 'resources') : field.split('.')[0]!
