import { LIST_WORDS } from '../normalize/link-lists-rules.ts'
import type { Block } from '../normalize/normal-form-rules.ts'
import type { Change } from './changes-rules.ts'
import { changesMeaning } from './meaning-rules.ts'

/** What a site shows beside its documents: buttons, names of menus, titles, people to chat with. */
const LABEL_WORDS = 6
const LABELS_WORDS = 15
/** Above the document and below it there is more of it. */
const EDGE_LABEL_WORDS = 8
const EDGE_LABELS_WORDS = 40
const SENTENCE_END = /[.!?;:。]["”')\]]*$/u
/** What a label of a site has not: numbers, addresses, company forms, negations, the state of the document. */
const SAYS_MORE =
  /[\p{N}@:]|(?<!\p{L})(?:Inc|LLC|Ltd|Limited|GmbH|AG|SAS|SARL|S\.A|B\.V|Corp|AB|Oy|no|not|non|none|kein\p{L}*|nicht|draft|archived?|superseded|expired|outdated|obsolete|deprecated|discontinued|withdrawn|repealed|void|entwurf|ungültig|abgelaufen|brouillon|obsolète|périmée?|caduque|borrador|derogad[ao]|bozza|rascunho|verlopen)(?!\p{L})/iu

const isLabel = ({ text, words, row }: Block, most: number): boolean =>
  row === undefined &&
  words.length <= most &&
  !SENTENCE_END.test(text) &&
  !SAYS_MORE.test(text) &&
  !LIST_WORDS.test(text)

/** What a sentence says that a list follows. */
const INTRODUCES =
  /(?<!\p{L})(?:following|below|folgend\p{L}*|unten|nachstehend\p{L}*|suivant\p{L}*|ci-dessous|siguientes?|abajo|seguent[ei]|seguintes?|abaixo|volgende|hieronder)(?!\p{L})/iu

/** A heading, a paragraph or an edge of the text: a label beside it is no entry of a list. */
const isProse = (block: Block | undefined): boolean =>
  block === undefined ||
  block.heading ||
  (/[.!?。]["”')\]]*$/u.test(block.text) && block.row === undefined && !block.item)

/**
 * Returns whether nothing but labels came or went, between paragraphs and headings. Beside another label, after a line
 * that introduces a list, and in a list they may be entries of it.
 */
export function onlyStrayLabels(change: Change, blocks: Block[]): boolean {
  const { before, after, at } = change
  const changed = before.length === 0 ? after : after.length === 0 ? before : []
  if (changed.length === 0) return false
  const [previous, next] = [blocks[at - 1], blocks[at + before.length]]
  if (!isProse(previous) || !isProse(next)) return false
  if (previous !== undefined && INTRODUCES.test(previous.text)) return false
  const isEdge = previous === undefined || next === undefined
  const words = changed.reduce((sum, block) => sum + block.words.length, 0)
  if (words > (isEdge ? EDGE_LABELS_WORDS : LABELS_WORDS)) return false
  return changed.every((block) => isLabel(block, isEdge ? EDGE_LABEL_WORDS : LABEL_WORDS)) && !changesMeaning(change)
}
