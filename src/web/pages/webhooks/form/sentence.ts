import { plural } from '../../../../lib/text/plural.ts'
import { capital } from '../../../capital.ts'
import { eventsInWords, listed } from './event-words.ts'
import { splitChoice, type WebhookValues } from './form-values.ts'

const MANY = 4

/** Names, or how many when they are many. */
const named = (names: string[], one: string, many?: string): string =>
  names.length > MANY ? plural(names.length, one, many) : listed(names)

/** Returns what will arrive, in one sentence. `nameOf` turns the slug of a provider, or the id of a group, into its name. */
export function whatArrives(values: WebhookValues, nameOf: (id: string) => string): string {
  const { eventTypes, scope, providers, resources, documents, aliases, minSignificance, minChange } = values
  if (eventTypes.length === 0) return 'Nothing: choose at least one event.'
  if (scope === 'named' && providers.length === 0) return 'Nothing: choose at least one provider.'
  const also = providers.length === 0 ? '' : ` and ${named(providers.map(nameOf), 'provider')}`
  const from = scope === 'every' ? `every provider${also}` : named(providers.map(nameOf), 'provider')
  const narrowed: string[] = []
  const wants = (...types: string[]) => types.some((type) => eventTypes.includes(type))
  if (aliases.length > 0) narrowed.push(`prices only of ${named(aliases.map(nameOf), 'alias group')}`)
  for (const [provider, names] of byProvider(resources)) {
    const only = aliases.length > 0 ? 'and' : 'only'
    narrowed.push(`of ${nameOf(provider)} ${only} ${named(names, 'model or machine', 'models and machines')}`)
  }
  if (wants('price.changed') && minChange > 0) narrowed.push(`price changes only of at least ${minChange}%`)
  if (wants('tos.changed')) {
    for (const [provider, names] of byProvider(documents))
      narrowed.push(`of ${nameOf(provider)}'s documents only ${named(names, 'document')}`)
    if (minSignificance !== 'low') narrowed.push(`changes of documents only ${LEAST[minSignificance]}`)
  }
  const usual = eventTypes.filter((type) => type !== OPT_IN_TYPE)
  const kinds =
    usual.length === USUAL_TYPES ? ['everything', ...eventTypes.filter((type) => type === OPT_IN_TYPE)] : eventTypes
  const what = capital(listed(kinds.map(eventsInWords)))
  return `${what} of ${from}${narrowed.length > 0 ? `; ${narrowed.join('; ')}` : ''}.`
}

const LEAST = { medium: 'of medium and high significance', high: 'of high significance' }

/** What everything is, and what is sent beside it where it is chosen. */
const USUAL_TYPES = 10
const OPT_IN_TYPE = 'price.announced'

function byProvider(choices: string[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [provider, name] of choices.map(splitChoice)) found.set(provider, [...(found.get(provider) ?? []), name])
  return found
}
