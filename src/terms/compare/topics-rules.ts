import { COMPANY, RIGHTS, TOPIC_WORDS } from '../language/topics-rules.ts'
import { changedSentences } from './changed-sentences-rules.ts'
import type { Change } from './changes-rules.ts'
import { statesOnlyDate } from './date-lines-rules.ts'

/** What a change is about, for readers who look for one thing. */
const TOPICS = ['liability', 'price', 'data', 'dates', 'parties', 'termination', 'disputes'] as const
export type Topic = (typeof TOPICS)[number]

/** A change is about a topic when its changed sentences or the heading above them use one of the topic's words. */
export function topicsOf(change: Change): Topic[] {
  const { before, after } = changedSentences(change)
  const sentences = [...before, ...after]
  if (sentences.length === 0) return []
  const blocks = [...change.before, ...change.after].filter((block) => !statesOnlyDate(block))
  const headings = new Set(blocks.map(({ section }) => section.toLowerCase()))
  const text = [...headings, ...sentences].join('\n')
  return TOPICS.filter((topic) => TOPIC_WORDS[topic].test(text))
}

const WEIGHTY: Topic[] = ['liability', 'price', 'termination', 'disputes']

/** Returns whether a text is about what parties owe each other: liability, money, the end, disputes, licences, consent, data. */
export const isAboutRights = (text: string): boolean =>
  RIGHTS.test(text) || WEIGHTY.some((topic) => TOPIC_WORDS[topic].test(text))

export const namesParty = (text: string): boolean => COMPANY.test(text)
