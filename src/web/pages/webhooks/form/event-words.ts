/** The event types as people say them, in the groups of the form. */
export const EVENT_GROUPS = [
  {
    label: 'Prices',
    types: [
      { type: 'price.changed', label: 'A price changes', one: 'price change', plural: 'price changes' },
      {
        type: 'price.revised',
        label: 'The terms of a price change, but not the amount',
        one: 'revised price',
        plural: 'revised prices',
      },
      {
        type: 'price.corrected',
        label: 'A published price is corrected',
        one: 'corrected price',
        plural: 'corrected prices',
      },
      {
        type: 'price.announced',
        label: 'A price is announced for a day to come',
        description: 'Sent ahead of its day. On the day itself it is a price change.',
        one: 'announced price',
        plural: 'announced prices',
      },
    ],
  },
  {
    label: 'Models and machines',
    types: [
      {
        type: 'resource.added',
        label: 'A model or machine is added',
        one: 'new model or machine',
        plural: 'new models and machines',
      },
      {
        type: 'resource.removed',
        label: 'A model or machine is removed',
        one: 'removed model or machine',
        plural: 'removed models and machines',
      },
      {
        type: 'resource.renamed',
        label: 'A model or machine is renamed',
        one: 'renamed model or machine',
        plural: 'renamed models and machines',
      },
    ],
  },
  {
    label: 'Providers and documents',
    types: [
      { type: 'tos.changed', label: 'A legal document changes', one: 'changed document', plural: 'changed documents' },
      { type: 'provider.added', label: 'A provider is added', one: 'new provider', plural: 'new providers' },
    ],
  },
  {
    label: 'Alias groups',
    types: [
      {
        type: 'alias.member_added',
        label: 'A model joins a group',
        one: 'model that joins a group',
        plural: 'models that join a group',
      },
      {
        type: 'alias.member_removed',
        label: 'A model leaves a group',
        one: 'model that leaves a group',
        plural: 'models that leave a group',
      },
    ],
  },
] as const

const WORDS = new Map<string, string>(
  EVENT_GROUPS.flatMap(({ types }) => types.map(({ type, plural }) => [type, plural] as const)),
)

/** Returns an event type in words, as several of them. */
export const eventsInWords = (type: string): string => WORDS.get(type) ?? (type === 'webhook.test' ? 'tests' : type)

const ONE = new Map<string, string>(
  EVENT_GROUPS.flatMap(({ types }) => types.map(({ type, one }) => [type, one] as const)),
)

/** Returns how many events of a type: `1 new provider`, `1,200 price changes`. */
export const countInWords = (type: string, count: number): string =>
  `${count.toLocaleString('en')} ${(count === 1 && ONE.get(type)) || eventsInWords(type)}`

/** Returns names as a list: `a, b and c`. */
export const listed = (names: string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
