import { blocksOf, joined, normalForm, wordsOf } from '../normalize/normal-form-rules.ts'
import { OVERLAP_HELD_BELOW, SIZE_HELD_ABOVE, SIZE_HELD_BELOW, SIZE_QUARANTINE } from '../schema.ts'

/** What pages say that stand where a document should: the reason an operator reads, and how each is recognized. */
const PHRASES: [reason: string, phrase: RegExp][] = [
  ['captcha', /captcha|verify (?:that )?you(?:'| a)re (?:a )?human|are you (?:a )?(?:robot|human)|not a robot|checking your browser|just a moment|unusual (?:traffic|activity)|security check|ddos protection|press (?:and|&) hold|attention required/],
  ['not available', /(?:is|are|isn't|aren't|is not|are not|not|currently|temporarily) (?:currently |yet |temporarily )?(?:un)?available (?:in|from|to|for|at|right|here)|(?:page|content|document|site|service|website) (?:is|isn't|is not|was)(?: \w+){0,2} (?:un)?available|temporarily unavailable|service unavailable|unavailable in your (?:country|region)|app unavailable|not (?:currently )?supported in your/],
  ['not found', /(?:page|document|content|file|url|article)(?: \w+){0,7} (?:not found|can(?:no|')t be found|could(?: not|n't) be found|does(?: not|n't) exist|no longer (?:exists|available)|has (?:been )?(?:moved|removed))|\b404\b|nothing (?:was )?found|we can(?:no|')t find (?:the|that|this)|page introuvable|seite nicht gefunden|página no encontrada/],
  ['access denied', /access (?:is |was |has been )?denied|\b403\b|forbidden|you (?:have been|are|were) blocked|request (?:was |has been |is )?blocked|not authori[sz]ed to (?:view|access)|don't have (?:permission|access)|permission denied|accès refusé|zugriff verweigert/],
  ['error page', /unexpected error|something went wrong|an? (?:\w+ )?error (?:has )?occurred|internal server error|application error|bad gateway|gateway time-?out|server error|\b50[0234]\b|try again later|please try again|refresh the page|reload the page|failed to load|too many requests|rate limit exceeded|under (?:scheduled )?maintenance|we'll be (?:right )?back|client-side exception|une erreur|ein fehler ist aufgetreten/],
  ['login page', /(?:sign|log) ?in to (?:continue|your account|view|access)|please (?:sign|log) ?in|forgot (?:your )?password|create (?:an|your) account|continue with google|don't have an account|enter your (?:email|password)|session (?:has )?expired|authentication required|you must be logged in/],
  ['cookie wall', /we use cookies|accept (?:all )?cookies|cookie (?:preferences|settings|consent)|we value your privacy|before you continue|manage (?:your )?(?:cookie|privacy) (?:choices|preferences)|consent to (?:the use of )?cookies|wir verwenden cookies|nous utilisons des cookies/],
  ['needs a browser', /(?:enable|requires?|turn on|activate) javascript|javascript (?:is|must be|to be) (?:disabled|required|enabled)|unsupported browser|(?:update|upgrade) your browser|browser is (?:not supported|out ?dated)|enable cookies|^loading\W*$/],
] // biome-ignore format: one phrase group a line

/** Pages shorter than this are judged by what they say; longer ones say such things in passing. */
const NOTICE_WORDS = 150
/** Up to this many words, such a phrase in the first lines condemns a page. */
const NOTICE_WORDS_AT_TOP = 400
const TOP_CHARACTERS = 400
/** No legal document is this short. */
const LEAST_WORDS = 20

const plain = (markdown: string) =>
  markdown
    .replace(/[’‘]/g, "'")
    .replace(/\]\([^)\n]*\)/g, ']')
    .replace(/[*_#[\]\\>|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .trim()

/**
 * Why a text is no legal document at all: an error page, a login page, a cookie wall … `earlier` is the text in force:
 * what it says itself is no sign of an error, and a page that keeps most of it is judged less harshly.
 */
export function notADocument(markdown: string, signals: string[], earlier?: string): string | undefined {
  const text = plain(markdown)
  const words = wordsOf(text)
  const before = earlier === undefined ? undefined : wordsOf(plain(earlier)).length
  if (words.length === 0) return signals[0] ?? 'empty'
  const collapsed = before !== undefined && words.length < before * SIZE_HELD_BELOW
  const limit = collapsed ? Math.max(NOTICE_WORDS_AT_TOP, NOTICE_WORDS) : NOTICE_WORDS
  for (const [reason, phrase] of words.length <= NOTICE_WORDS_AT_TOP ? PHRASES : []) {
    if (!(words.length <= limit && phrase.test(text)) && !phrase.test(text.slice(0, TOP_CHARACTERS))) continue
    if (collapsed || earlier === undefined || !phrase.test(plain(earlier))) return reason
  }
  if (signals.length > 0 && (collapsed || words.length < NOTICE_WORDS)) return signals[0]
  if (words.length < LEAST_WORDS) return 'too short'
  if (before !== undefined && words.length < before * SIZE_QUARANTINE) return 'size collapse'
  return earlier !== undefined && partFailed(earlier, markdown) ? 'part of the page is an error' : undefined
}

/** What a page says where a part of it did not load; short, and about the page itself. */
const PART_FAILED =
  /^(?:sorry,? )?(?:(?:this|the) (?:page|site)(?: you \w+ \w+ \w+)? (?:isn't|is not|is no longer) (?:available|found|working)|the link may be broken|page (?:was )?not found|an? (?:unexpected |unknown |internal )?(?:server )?error (?:has )?occurred|something went wrong|(?:internal )?server error|try reloading the page|404\b|access denied)/
const PART_FAILED_WORDS = 30
/** So many words have to be gone for it: a document may well come to speak of errors. */
const PART_FAILED_LOST = 50

/** Whether an error stands where a passage stood: a page put together from several, one of which failed. */
function partFailed(earlier: string, later: string): boolean {
  const [before, after] = [blocksOf(earlier), blocksOf(later)]
  const known = new Set(before.map((block) => block.key))
  const failed = after.some(
    (block) => block.words.length <= PART_FAILED_WORDS && !known.has(block.key) && PART_FAILED.test(plain(block.text)),
  )
  if (!failed) return false
  const kept = new Set(after.map((block) => block.key))
  const lost = before.filter((block) => !kept.has(block.key)).reduce((sum, block) => sum + block.words.length, 0)
  return lost >= PART_FAILED_LOST
}

const LANGUAGES: Record<string, string[]> = {
  en: ['the', 'and', 'of', 'to', 'you', 'or', 'your', 'we', 'our'],
  fr: ['les', 'des', 'et', 'vous', 'nous', 'dans', 'une', 'pour', 'vos'],
  de: ['die', 'und', 'der', 'sie', 'wir', 'nicht', 'oder', 'für', 'ihre'],
  es: ['los', 'que', 'las', 'usted', 'para', 'una', 'por', 'sus', 'del'],
  it: ['che', 'gli', 'della', 'per', 'sono', 'di', 'dei', 'alla', 'nostri'],
  pt: ['os', 'você', 'não', 'uma', 'dos', 'nossos', 'para', 'seus', 'ou'],
  nl: ['de', 'het', 'een', 'van', 'wij', 'uw', 'niet', 'voor', 'onze'],
}
/** A language is named only where its small words make up this share. */
const LANGUAGE_SHARE = 0.04

function languageOf(words: string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const shares = Object.entries(LANGUAGES).map(([language, small]) => {
    const found = small.reduce((sum, word) => sum + (counts.get(word) ?? 0), 0)
    return { language, share: found / Math.max(1, words.length) }
  })
  const best = shares.reduce((a, b) => (b.share > a.share ? b : a))
  return best.share >= LANGUAGE_SHARE ? best.language : undefined
}

const SHINGLE = 3
function shingles(words: string[]): Set<string> {
  const set = new Set<string>()
  for (let i = 0; i + SHINGLE <= words.length; i++) set.add(words.slice(i, i + SHINGLE).join(' '))
  return set
}

/** Share of the earlier text's three-word runs that the later one has too. */
function overlap(before: string[], after: string[]): number {
  const [a, b] = [shingles(before), shingles(after)]
  if (a.size === 0 || b.size === 0) return joined(before) === joined(after) ? 1 : 0
  let kept = 0
  for (const run of a) if (b.has(run)) kept++
  return kept / Math.min(a.size, b.size)
}

/** What makes a changed text doubtful: it is held until a person decides or it has stood for long. */
export function doubts(before: string, after: string): string[] {
  const [a, b] = [wordsOf(plain(before)), wordsOf(plain(after))]
  const reasons: string[] = []
  if (b.length < a.length * SIZE_HELD_BELOW) reasons.push('less than half the size')
  if (b.length > a.length * SIZE_HELD_ABOVE) reasons.push('more than twice the size')
  if (languageOf(a) !== languageOf(b)) reasons.push('another language')
  else if (overlap(a, b) < OVERLAP_HELD_BELOW) reasons.push('another text')
  return reasons
}

/** Whether the text reads the same without its dates. */
export const sameButDates = (before: string, after: string): boolean =>
  normalForm(before, { ignoreDates: true }) === normalForm(after, { ignoreDates: true })
