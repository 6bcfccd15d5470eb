import { daysIn, hasDate, withoutDates } from '../normalize/dates-rules.ts'
import type { Block } from '../normalize/normal-form-rules.ts'
import { totalWords } from '../normalize/words-rules.ts'
import { blocksOnOneSide, type Change } from './changes-rules.ts'
import { statesOnlyDate } from './date-lines-rules.ts'
import { changesMeaning } from './meaning-rules.ts'

/** A passage of so many paragraphs and words that is there twice is a copy; a clause may be repeated with reason. */
const COPY_BLOCKS = 5
const COPY_WORDS = 100
/** So many headings in a row that are there again, with their parts, are an index. */
const INDEX_HEADINGS = 3

/** Returns whether a passage, or an index of headings, came or went that the document has a second time. */
export function onlyRepeated(change: Change, blocksBefore: Block[], blocksAfter: Block[]): boolean {
  const changed = blocksOnOneSide(change)
  if (changed.length < INDEX_HEADINGS) return false
  const other = change.before.length === 0 ? blocksBefore : blocksAfter
  if (changed.every(({ heading }) => heading)) {
    const headings = new Set(other.filter(({ heading }) => heading).map(({ key }) => key))
    return changed.every(({ key }) => headings.has(key))
  }
  return changed.length >= COPY_BLOCKS && totalWords(changed) >= COPY_WORDS && hasRun(other, changed)
}

function hasRun(blocks: Block[], run: Block[]): boolean {
  for (let start = blocks.findIndex(({ key }) => key === run[0]!.key); start >= 0; ) {
    if (run.every(({ key }, i) => blocks[start + i]?.key === key)) return true
    start = blocks.findIndex(({ key }, i) => i > start && key === run[0]!.key)
  }
  return false
}

/** What a bar says while a document is changed, or when it was changed a short while ago. */
const UPDATED =
  /\bwe(?:'re| are|'ve| have)? (?:recently |just |been )?updat(?:ed|ing)\b.{0,80}\b(?:terms|polic(?:y|ies)|notice|agreement|statement|guidelines)\b|\bnous (?:avons |venons de )(?:mis|mettre) à jour\b.{0,80}\b(?:conditions|politiques?|charte|règles|texte|contrat|accord)\b|\bwir haben\b.{0,80}\b(?:bedingungen|richtlinien?|erklärung|hinweise?|vertrag|vereinbarung)\b.{0,40}(?<!\p{L})(?:aktualisiert|geändert|überarbeitet|angepasst)(?!\p{L})|\b(?:hemos actualizado|vamos a actualizar)\b.{0,80}\b(?:condiciones|términos|políticas?|contrato|acuerdo)\b|\babbiamo aggiornato\b.{0,80}\b(?:condizioni|termini|informativa|contratto|accordo)\b/iu
/** What a bar says of a day that comes. Without a date, a clause says the same: `We update this policy regularly`. */
const TAKES_EFFECT =
  /\bnous mettons à jour\b.{0,80}\b(?:conditions|politiques?|charte|règles|texte|contrat|accord)\b|\bwir aktualisieren\b.{0,80}\b(?:bedingungen|richtlinien?|erklärung|hinweise?|vertrag|vereinbarung)\b|\bactualizaremos\b.{0,80}\b(?:condiciones|términos|políticas?|contrato|acuerdo)\b|\baggiorneremo\b.{0,80}\b(?:condizioni|termini|informativa|contratto|accordo)\b|\b(?:version|policy|terms|politique|conditions)\b.{0,80}\b(?:will go into effect|takes? effect|comes? into effect|will be effective|entrer(?:a|ont) en vigueur)\b/iu
/** What a clause says of changes, and no bar: conditions, rights, how readers are notified, and how long something lasts. */
const RULES =
  /(?<!\p{L})(?:if|when(?:ever)?|(?<!\d\s)may(?!\s\d)|must|shall|notify|notified|(?<!(?:privacy|cookies?|legal|our|this|the)\s)notice|rights?|remains?|continues?|terminat\p{L}*|cancel\p{L}*|wenn|falls|sofern|sobald|rechte?|lorsque?|lorsqu'\p{L}+|si|droits?|cuando|derechos?|quando|diritt[oi])(?!\p{L})/iu
/** Of the version before: `You may find it here` allows nothing. */
const YOU_MAY_READ = /\byou may (?:find|view|see|read|access|review)\b/iu
const CAN_BE_READ =
  /\b(?:can|may) be (?:found|viewed|seen|read|accessed|reviewed|downloaded)\b|\byou can (?:find|view|see|read|access|review|download)\b/giu
const ANNOUNCEMENT_WORDS = 60
const ANNOUNCEMENT_BLOCKS = 3
const TOP_BLOCKS = 3

/**
 * Returns whether only the announcement of a change went, with a line that leads to the version before: what it announced is in
 * the document, and was shown. It is at the top, or names its day. A line that states the announced day may be in its place.
 */
export const announcementGone = ({ before, after, at }: Change): boolean =>
  (isBarAtTop(before, at) && (after.length === 0 || isSameBar(before, after, at))) ||
  (before.length <= ANNOUNCEMENT_BLOCKS &&
    after.every((line) => statesAnnouncedDay(line, before)) &&
    before.every((line) => isOfAnnouncement(line, at < TOP_BLOCKS)) &&
    before.some(({ text }) => announces(text, at < TOP_BLOCKS)))

/** The announcement in other words, or another language: it names the same days. */
const isSameBar = (before: Block[], after: Block[], at: number): boolean =>
  isBarAtTop(after, at) && String(announcedDays(before)) === String(announcedDays(after))
const announcedDays = (blocks: Block[]) => blocks.flatMap(({ text }) => daysIn(text)).sort()

const announces = (text: string, atTop: boolean): boolean =>
  (UPDATED.test(text) && (atTop || hasDate(text))) || (TAKES_EFFECT.test(text) && hasDate(text))

function statesAnnouncedDay(line: Block, announcement: Block[]): boolean {
  const announced = new Set(announcement.flatMap(({ text }) => daysIn(text)).map(String))
  return statesOnlyDate(line) && daysIn(line.text).every((days) => announced.has(String(days)))
}

const isOfAnnouncement = ({ text, row, item, words }: Block, atTop: boolean): boolean =>
  // A bar above the text may be laid out as a table or a list.
  (row === undefined || row === '') &&
  (!item || atTop) &&
  words.length <= ANNOUNCEMENT_WORDS &&
  !RULES.test(withoutDates(text).replace(YOU_MAY_READ, ' ').replace(CAN_BE_READ, ' ')) &&
  (announces(text, atTop) || leadsToEarlier(text) || EARLIER_POSTED.test(text))

/** What a bar at the top asks of those who have an account, and which text it says is in force until then. */
const OF_ANNOUNCED =
  /\b(?:updated|new|current)\b.{0,20}\b(?:terms|polic(?:y|ies)|agreement)\b|\b(?:conditions|politiques?|charte|règles|contrat)\b.{0,20}\b(?:mise?s? à jour|actuel(?:le)?s?)\b|\b(?:aktualisierte|neue|aktuelle|bisherige)n?\b.{0,20}\b(?:bedingungen|richtlinien?|datenschutzerklärung)\b|\b(?:condiciones|términos|política)\b.{0,20}\b(?:actualizad[oa]s?|actual(?:es)?)\b|\b(?:condizioni|termini|informativa)\b.{0,20}\b(?:aggiornat[aeio]|attuali?)\b/iu

/** A page may have it twice. */
const BAR_BLOCKS = 2 * ANNOUNCEMENT_BLOCKS

/**
 * Returns whether an announcement of at least two lines is at the top and no rule of the document: each line names the
 * text that is new, or the one that was in force until it.
 */
const isBarAtTop = (blocks: Block[], at: number): boolean =>
  at < BAR_BLOCKS &&
  blocks.length > 1 &&
  blocks.length <= ANNOUNCEMENT_BLOCKS &&
  blocks.some(({ text }) => saysUpdated(text)) &&
  blocks.every(
    ({ text, heading, row, item, words }) =>
      !heading &&
      row === undefined &&
      !item &&
      words.length <= ANNOUNCEMENT_WORDS &&
      (saysUpdated(text) || OF_ANNOUNCED.test(text)),
  )

/** `Our updated Terms take effect on 6 April`: what it names is new, and on a day. */
const saysUpdated = (text: string): boolean =>
  hasDate(text) && (UPDATED.test(text) || TAKES_EFFECT.test(text) || (OF_ANNOUNCED.test(text) && TAKES.test(text)))
const TAKES =
  /\b(?:take(?:s)?|took|go(?:es)?|went|come(?:s)?|came) (?:in(?:to)? )?effect|\bin(?:to)? force\b|entr\p{L}+ en vigueur|in kraft|entr\p{L}+ en vigor|in vigore/iu

/** The version before, and how a reader gets to it. */
const EARLIER_VERSION =
  /\b(?:previous|prior|earlier|former) version|\b(?:previous|former) (?:[\p{L}]+ ){0,2}?(?:polic(?:y|ies)|terms|statement|privacy notice)\b|\bversion effective until\b|\bversions? (?:précédentes?|antérieures?|précédemment en vigueur)\b|\b(?:vorherigen?|früheren?) (?:version|fassung)|\bversión (?:anterior|previa)\b|\bversione precedente\b/iu
/** When the version before was published. */
const EARLIER_POSTED =
  /\b(?:previous|prior|former) (?:\p{L}+ ){1,5}(?:was|were) (?:last )?(?:posted|published|updated|effective)\b/iu
const LEADS_THERE =
  /\b(?:here|click|view|see|available|cliquez|ici|consulter|disponible|hier|klicken|aquí|consultar|qui|clicca)(?!\p{L})/iu
/** Whom the version before still binds. */
const STILL_BINDS =
  /(?<!\p{L})(?:appl(?:y|ies|ied)|govern(?:s|ed|ing)?|continues?|remains?|binds?|binding|bound|gilt|gelten|galt|(?:s')?appliqu\p{L}+|régi(?:e?s?|t|ssent)|reste(?:nt)?|demeure(?:nt)?|aplica(?:n|bles?|r[áa]n?)?|rigen?|applica(?:no|ta|te|rsi)?|resta(?:no)?)(?!\p{L})/iu
const POINTER_WORDS = 25

const leadsToEarlier = (text: string): boolean =>
  EARLIER_VERSION.test(text) && LEADS_THERE.test(text) && !STILL_BINDS.test(text)

/** Returns whether only a line came or went that leads to the version before: it says nothing of this one. */
export function onlyVersionPointer(change: Change): boolean {
  const blocks = [...change.before, ...change.after]
  const [block] = blocks
  if (blocks.length !== 1 || !block || block.row !== undefined || block.words.length > POINTER_WORDS) return false
  const readable = (one: Block): Block => ({ ...one, text: one.text.replace(CAN_BE_READ, ' ') })
  const { before, after } = change
  return (
    leadsToEarlier(block.text) &&
    !changesMeaning({ ...change, before: before.map(readable), after: after.map(readable) })
  )
}
