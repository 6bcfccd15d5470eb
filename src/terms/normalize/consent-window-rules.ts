import { countWords, isSentence, LABEL_WORDS } from './label-rules.ts'
import type { PlainLine } from './plain-text-rules.ts'

const CONSENT =
  /\bwe and our (?:\d[\d,.]* )?(?:third[- ]party )?(?:partners|vendors)\b|\bwe(?:'d like to| would like to)? use (?:\p{L}+ ){0,3}cookies\b|\byou can (?:accept|reject) all cookies\b|\bwir (?:und unsere (?:\d+ )?partner )?(?:verwenden|nutzen|setzen) (?:\p{L}+ ){0,3}cookies\b|\bnous (?:et nos (?:\d+ )?partenaires )?utilisons (?:\p{L}+ ){0,3}cookies\b|\b(?:utilizamos|usamos) cookies\b|\butilizziamo (?:\p{L}+ ){0,2}cookie\b/iu
/** A word that every such question has. */
const CONSENT_WORD = /cookie|partner|partenaire|vendor/iu
/** A line of buttons: `Customise Reject All Accept All`. */
const CONSENT_BUTTON =
  /^(?:customi[sz]e |manage (?:\p{L}+ )?|cookie settings |only )?(?:accept|reject|allow|decline|refuse|deny) (?:all|only|necessary|cookies|optional)\b|^(?:alle(?:s)? )?(?:akzeptieren|ablehnen|annehmen|zulassen)\b|^alle (?:cookies )?(?:akzeptieren|ablehnen|annehmen|zulassen)\b|^(?:tout|tous) (?:accepter|refuser|autoriser)\b|^(?:aceptar|rechazar) tod[ao]s?\b|^(?:accetta|rifiuta) tutt[io]\b/iu
/** Between the question and its first button, and between two of its buttons. */
const CONSENT_REACH = 6
const CONSENT_NEXT = 200
/** A window has no more words: what is larger has the document in it, between a button above and one below. */
const SMALL_WINDOW = 300
const MOST_OF_PAGE = 1 / 3
const CONSENT_TITLE =
  /^(?:we value your privacy|cookies?(?: notice| policy| consent| preferences)?|your privacy(?: choices)?)$/i

const wordsIn = (lines: PlainLine[]) => lines.reduce((sum, { plain }) => sum + countWords(plain), 0)

/** Windows that ask for consent to cookies, from their title to their last button. A sentence alone is none. */
export function consentWindows(lines: PlainLine[]): number[] {
  const isButton = (line: PlainLine | undefined) =>
    line !== undefined &&
    !line.heading &&
    !line.item &&
    !isSentence(line.plain) &&
    countWords(line.plain) <= LABEL_WORDS &&
    CONSENT_BUTTON.test(line.plain)
  const found: number[] = []
  const most = Math.max(SMALL_WINDOW, wordsIn(lines) * MOST_OF_PAGE)
  for (let i = 0; i < lines.length; i++) {
    if (!CONSENT_WORD.test(lines[i]!.plain) || !CONSENT.test(lines[i]!.plain)) continue
    let end = i
    for (let k = i + 1; k <= (end === i ? i + CONSENT_REACH : end + CONSENT_NEXT) && k < lines.length; k++) {
      if (isButton(lines[k]) && wordsIn(lines.slice(i, k)) <= most) end = k
    }
    if (end === i) continue
    const start = CONSENT_TITLE.test(lines[i - 1]?.plain ?? '') ? i - 1 : i
    for (let k = start; k <= end; k++) found.push(k)
    i = end
  }
  return found
}
