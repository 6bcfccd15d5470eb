/** The event types as people say them, in the groups of the form. */
export const EVENT_GROUPS = [
  {
    label: 'Prices',
    types: [
      { type: 'price.changed', label: 'A price changes', plural: 'price changes' },
      { type: 'price.revised', label: 'Details of a price change, not its amount', plural: 'revised prices' },
      { type: 'price.corrected', label: 'A published price is corrected', plural: 'corrected prices' },
    ],
  },
  {
    label: 'Models and machines',
    types: [
      { type: 'resource.added', label: 'One is added', plural: 'new models and machines' },
      { type: 'resource.removed', label: 'One is removed', plural: 'removed models and machines' },
      { type: 'resource.renamed', label: 'One is renamed', plural: 'renamed models and machines' },
    ],
  },
  {
    label: 'Providers and documents',
    types: [
      { type: 'tos.changed', label: 'A legal document changes', plural: 'changed documents' },
      { type: 'provider.added', label: 'A provider is added', plural: 'new providers' },
    ],
  },
  {
    label: 'Alias groups',
    types: [
      { type: 'alias.member_added', label: 'A model joins a group', plural: 'models that join a group' },
      { type: 'alias.member_removed', label: 'A model leaves a group', plural: 'models that leave a group' },
    ],
  },
] as const

const WORDS = new Map<string, string>(
  EVENT_GROUPS.flatMap(({ types }) => types.map(({ type, plural }) => [type, plural] as const)),
)

/** Returns an event type in words, as several of them. */
export const eventsInWords = (type: string): string => WORDS.get(type) ?? (type === 'webhook.test' ? 'tests' : type)

/** Returns names as a list: `a, b and c`. */
export const listed = (names: string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
