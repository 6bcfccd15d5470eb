import { withCanonicalDates } from '../normalize/dates-rules.ts'
import type { Block } from '../normalize/normal-form-rules.ts'
import { sentencesOf } from '../normalize/sentences-rules.ts'
import { joined, wordsOf } from '../normalize/words-rules.ts'
import type { Change } from './changes-rules.ts'

/** The sentences of a change that only one side has, in lower case. */
export type ChangedSentences = { before: string[]; after: string[] }

/** Clauses of a long sentence end with a semicolon. */
const CLAUSE_END = /(?<=[;；])\s+/u

/** Returns what a change says otherwise: its sentences and clauses without those that are on both sides. */
export function changedSentences({ before, after }: Pick<Change, 'before' | 'after'>): ChangedSentences {
  const [went, came] = [before, after].map(sentences) as [string[], string[]]
  return { before: without(went, came), after: without(came, went) }
}

const sentences = (blocks: Block[]): string[] =>
  blocks.flatMap(({ text }) => sentencesOf(text).flatMap((sentence) => sentence.toLowerCase().split(CLAUSE_END)))

/** Returns the sentences of one side without as many equal ones as the other side has. */
function without(sentences: string[], others: string[]): string[] {
  const left = new Map<string, number>()
  for (const key of others.map(keyOf)) left.set(key, (left.get(key) ?? 0) + 1)
  return sentences.filter((sentence) => {
    const key = keyOf(sentence)
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count <= 0
  })
}

const keyOf = (sentence: string): string => joined(wordsOf(withCanonicalDates(sentence)))
