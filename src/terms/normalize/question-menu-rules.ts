import { countWords } from './label-rules.ts'
import type { PlainLine } from './plain-text-rules.ts'

/** How a menu of questions ends: none of them is the reader's. */
const ANOTHER_QUESTION =
  /^(?:i have (?:a|an) (?:different|other|another) question|my question is(?:n't| not) listed|ich habe eine andere frage|j'ai une (?:autre question|question différente)|tengo (?:otra pregunta|una pregunta diferente)|ho un'altra domanda|tenho (?:outra (?:pergunta|dúvida|questão)|uma (?:pergunta|dúvida|questão) diferente)|ik heb een andere vraag|mam inne pytanie)\.?$/iu
/** A line of it has no more words, and it no more lines. */
const ENTRY_WORDS = 12
const ENTRIES = 15

const isEntry = ({ plain, heading, row }: PlainLine): boolean =>
  !heading && row === undefined && countWords(plain) <= ENTRY_WORDS && !/\p{N}|[.;:!。]["”')\]]*$/u.test(plain)

/** The lines without the menus of questions that a help centre shows above an article: their answers are elsewhere. */
export function withoutQuestionMenus(lines: PlainLine[]): PlainLine[] {
  const dropped = new Set<number>()
  for (const [end, line] of lines.entries()) {
    if (!ANOTHER_QUESTION.test(line.plain)) continue
    dropped.add(end)
    for (let i = end - 1; i >= 0 && end - i <= ENTRIES && isEntry(lines[i]!); i--) dropped.add(i)
  }
  return dropped.size === 0 ? lines : lines.filter((_, i) => !dropped.has(i))
}
