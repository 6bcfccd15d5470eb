import { hasDate } from '../normalize/dates-rules.ts'
import { LIST_WORDS } from '../normalize/link-lists-rules.ts'
import type { Block } from '../normalize/normal-form-rules.ts'
import { totalWords } from '../normalize/words-rules.ts'
import { blocksOnOneSide, type Change } from './changes-rules.ts'
import { isLabel, SENTENCE_END } from './labels-rules.ts'
import { changesMeaning } from './meaning-rules.ts'

/** What a site shows beside its documents: buttons, names of menus, titles, people to chat with. */
const BETWEEN = { ofOne: 6, ofAll: 15 }
/** Above the document and below it there is more of it. */
const EDGE = { ofOne: 8, ofAll: 40 }
/** What a sentence says that a list follows. */
const INTRODUCES =
  /(?<!\p{L})(?:following|below|folgend\p{L}*|unten|nachstehend\p{L}*|suivant\p{L}*|ci-dessous|siguientes?|abajo|seguent[ei]|seguintes?|abaixo|volgende|hieronder)(?!\p{L})/iu

/** A paragraph of so many words is no entry of a list of names, also without a stop. */
const PARAGRAPH_WORDS = 10

/** A heading, a paragraph, a date or an edge of the text: a label beside it is no entry of a list. */
const isProse = (block: Block | undefined): boolean =>
  block === undefined ||
  block.heading ||
  (block.row === undefined &&
    !block.item &&
    (/[.!?。]["”')\]]*$/u.test(block.text) || block.words.length >= PARAGRAPH_WORDS || hasDate(block.text)))

/**
 * Returns whether nothing but labels came or went above the document, below it, or between its paragraphs and headings.
 * Beside another label, after a line that introduces a list, and in a list they may be entries of it.
 */
export function onlyStrayLabels(change: Change, blocks: Block[]): boolean {
  const { before, at } = change
  const changed = blocksOnOneSide(change)
  const [previous, next] = [blocks[at - 1], blocks[at + before.length]]
  if (changed.length === 0 || changesMeaning(change)) return false
  if (previous === undefined && changed.length === 1 && isTrail(changed[0]!)) return true
  if (isPart(changed, blocks, at, at + before.length)) return false
  // A heading that nothing follows has no part of its own: it leads to something else.
  if (next === undefined && changed.every(({ heading }) => heading)) return areLabels(changed, EDGE)
  if (previous === undefined) return next?.row === undefined && !next?.item && areLabels(changed, EDGE)
  // A label below a question is its answer.
  if (INTRODUCES.test(previous.text) || (!previous.heading && isQuestion(previous))) return false
  if (isTeaser(changed) && previous.row === undefined && isProse(next)) return true
  // Entries between paragraphs are the list of the one above; below the document, they are a menu.
  if (!isProse(previous) || !isProse(next) || (next && changed.some(({ item }) => item))) return false
  return areLabels(changed, next === undefined ? EDGE : BETWEEN) && !changed.some(({ text }) => LIST_WORDS.test(text))
}

/** A label or a heading, and a line below it that is no sentence. */
const isPair = (title?: Block, line?: Block): boolean =>
  title !== undefined && line !== undefined && isFragment(title) && isFragment(line) && !line.heading
const isFragment = ({ text, words, row, item }: Block): boolean =>
  row === undefined && !item && !SENTENCE_END.test(text) && words.length <= TAGLINE_WORDS && !hasDate(text)

/**
 * Returns whether what came or went is a part of the document, however short: all that a heading has below it, a
 * heading below another at the end, or a heading and a line at the end or beside others of that shape. Prohibited uses and
 * names of companies are written so.
 */
function isPart(changed: Block[], blocks: Block[], start: number, end: number): boolean {
  const [previous, next] = [blocks[start - 1], blocks[end]]
  const mayEnd = next === undefined || (next.heading && !changed[0]!.heading)
  if (start > 1 && previous!.heading && mayEnd) return true
  const titles = changed.filter((block, i) => isPair(block, changed[i + 1]))
  if (next === undefined && titles.some(({ heading }) => heading)) return true
  const beside = [blocks.slice(Math.max(0, start - 2), start), blocks.slice(end, end + 2)].filter((two) =>
    isPair(...two),
  )
  return titles.some(({ heading }) => beside.some(([title]) => title!.heading === heading))
}

/** Where a page is on its site: `Help › Selling › Tips`. */
const TRAIL = /(?:\s[└›»<>→/]\s[^└›»<>→/]+){2}$/u
const TRAIL_WORDS = 20
const isTrail = (block: Block): boolean => !block.heading && TRAIL.test(block.text) && isLabel(block, TRAIL_WORDS)

/** A label and the line below it that praises what it leads to, once or several times. */
const TAGLINE_WORDS = 14
const isTeaser = (blocks: Block[]): boolean =>
  blocks.length % 2 === 0 &&
  blocks.every((block, i) =>
    i % 2 === 0
      ? !block.item && isLabel(block, BETWEEN.ofOne) && !isClause(block)
      : !block.item && !block.heading && isLabel(block, TAGLINE_WORDS) && !ADDRESSES.test(block.text),
  )
/** Whom a clause is about: a line that only invites has none of them. */
const ADDRESSES =
  /(?<!\p{L})(?:you|your|yours|we|us|our|ours|users?|customers?|company|part(?:y|ies)|agree|waive|sie|ihr\p{L}{0,2}|wir|uns\p{L}*|nutzer|kunden?|vous|votre|vos|nous|notre|nos|usted|ustedes|su|sus|nosotros|nuestr[ao]s?|tu|tus|lei|voi|vostr[oaie]|noi|nostr[oaie])(?!\p{L})/iu

/** A line that begins so invites, and obliges nobody: `Advertise with us`. */
const INVITES =
  /^(?:## )?(?:about|advertise|ask|call|change|chat|check|choose|connect|contact\p{L}*|discover|download|email|explore|find|follow|get|go|help|how|join|learn|log|manage|meet|rate|read|report|review|see|send|sign|start|stay|subscribe|talk|tell|try|view|visit|watch|what|where|who|why|work|write|über|kontakt\p{L}*|folgen|entdecken|abonnieren|suivez|découvrez|rejoignez|abonnez|à propos|sobre|síg[au]\p{L}*|contáct\p{L}*|descubr\p{L}*|segui\p{L}*|scopri|chi siamo)(?!\p{L})/iu
/** A short line about the parties may be a clause without its stop: `Your inputs train our models`. */
const isClause = ({ text, words }: Block): boolean => words.length > 1 && ADDRESSES.test(text) && !INVITES.test(text)

/**
 * Returns whether labels at the end of a page took the place of others: what a site shows below a document. A line of
 * which each word has a capital may be somebody's name.
 */
export function onlyLabelsBelow({ before, after, at }: Change, blocks: Block[]): boolean {
  if (before.length === 0 || after.length === 0) return false
  const below = blocks.slice(at)
  const previous = blocks.slice(0, at).findLast((block) => isProse(block) && !block.heading)
  if (!previous || INTRODUCES.test(previous.text) || LIST_WORDS.test(previous.text)) return false
  return below.every(isBelow) && after.every(isBelow) && [...before, ...after].every(isNoName) && areLabels(after, EDGE)
}

const isBelow = (block: Block) => !block.item && isLabel(block, EDGE.ofOne) && !LIST_WORDS.test(block.text)
const isNoName = (block: Block) => block.heading || /(?<=\s)\p{Ll}/u.test(block.text)

/** What a sentence says whose list follows without being announced. */
const HAS_A_LIST =
  /(?<!\p{L})(?:these|those|such|includ(?:e|es|ing)|are|diese|solche|sind|ces|sont|comprennent|est[ao]s|son|incluyen|quest[ei]|sono|estes|são|deze|zijn)(?!\p{L})/iu
/** A longer one is a paragraph of its own. */
const HAS_A_LIST_WORDS = 25
const FULL_STOP = /[.!。]["”')\]]*$/u

/**
 * Returns whether labels came or went among the labels that end a page: below its last sentence there is nothing else. A
 * line of which each word has a capital may be somebody's name.
 */
export function onlyMoreLabelsBelow(change: Change, blocks: Block[]): boolean {
  const { at } = change
  const changed = blocksOnOneSide(change)
  if (changed.length === 0 || changesMeaning(change) || isPart(changed, blocks, at, at + change.before.length))
    return false
  const last = blocks.slice(0, at).findLastIndex((block) => block.heading || !isBelow(block))
  const sentence = blocks[last]
  if (!sentence || sentence.heading || sentence.row !== undefined || !FULL_STOP.test(sentence.text)) return false
  const mayHaveList = sentence.words.length <= HAS_A_LIST_WORDS && HAS_A_LIST.test(sentence.text)
  if (mayHaveList || INTRODUCES.test(sentence.text) || LIST_WORDS.test(sentence.text)) return false
  return (
    blocks.slice(last + 1).every(isBelow) &&
    changed.every((block) => isBelow(block) && isNoName(block)) &&
    areLabels(changed, EDGE)
  )
}

/** A question of a list to choose from, without its answer. */
const QUESTION_WORDS = 14
const isQuestion = ({ text, words, row }: Block) =>
  row === undefined && words.length <= QUESTION_WORDS && /[?？]$/.test(text)

/**
 * Returns whether nothing but questions came or went, and labels above them: they say nothing, their answers do. A label
 * below a question may be an answer.
 */
export function onlyQuestions({ before, after }: Change): boolean {
  return [before, after].every((blocks) => {
    const first = Math.max(0, blocks.findIndex(isQuestion))
    const [labels, questions] = [blocks.slice(0, first), blocks.slice(first)]
    if (questions.length < labels.length) return false
    return questions.every(isQuestion) && labels.every((block) => !block.item && areLabels([block], BETWEEN))
  })
}

const areLabels = (blocks: Block[], most: { ofOne: number; ofAll: number }): boolean =>
  totalWords(blocks) <= most.ofAll && blocks.every((block) => isLabel(block, most.ofOne) && !isClause(block))
