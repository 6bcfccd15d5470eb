import type { ReadText } from '../normalize/normal-form-rules.ts'
import { SIZE_HELD_BELOW } from '../schema.ts'

/** Pages served in place of a document: the reason an operator reads, and how each is recognized. */
const PHRASES: [reason: string, phrase: RegExp][] = [
  ['captcha', /captcha|verify (?:that )?you(?:'| a)re (?:a )?human|are you (?:a )?(?:robot|human)|not a robot|checking your browser|just a moment|unusual (?:traffic|activity)|security check|ddos protection|press (?:and|&) hold|attention required/],
  ['not available', /(?:is|are|isn't|aren't|is not|are not|not|currently|temporarily) (?:currently |yet |temporarily )?(?:un)?available (?:in|from|to|for|at|right|here)|(?:page|content|document|site|service|website) (?:is|isn't|is not|was)(?: \w+){0,2} (?:un)?available|temporarily unavailable|service unavailable|unavailable in your (?:country|region)|app unavailable|not (?:currently )?supported in your/],
  ['not found', /(?:page|document|content|file|url|article)(?: \w+){0,7} (?:not found|can(?:no|')t be found|could(?: not|n't) be found|does(?: not|n't) exist|no longer (?:exists|available)|has (?:been )?(?:moved|removed))|\b404\b|nothing (?:was )?found|we can(?:no|')t find (?:the|that|this)|page introuvable|seite nicht gefunden|página no encontrada/],
  ['access denied', /access (?:is |was |has been )?denied|\b403\b|forbidden|you (?:have been|are|were) blocked|request (?:was |has been |is )?blocked|not authori[sz]ed to (?:view|access)|don't have (?:permission|access)|permission denied|accès refusé|zugriff verweigert/],
  ['error page', /unexpected error|something went wrong|an? (?:\w+ )?error (?:has )?occurred|internal server error|application error|bad gateway|gateway time-?out|server error|\b50[0234]\b|try again later|please try again|refresh the page|reload the page|failed to load|too many requests|rate limit exceeded|under (?:scheduled )?maintenance|we'll be (?:right )?back|client-side exception|une erreur|ein fehler ist aufgetreten/],
  ['login page', /(?:sign|log) ?in to (?:continue|view|access)|please (?:sign|log) ?in|forgot (?:your )?password|continue with google|enter your (?:email|password)|session (?:has )?expired|authentication required|you must be logged in/],
  ['login page', /(?:sign|log) ?in to your account[\s\S]{0,200}(?:password|create (?:an|your) account)|create (?:an|your) account[\s\S]{0,200}(?:already have an account|don't have an account)|don't have an account[\s\S]{0,200}(?:sign up|create|register)/],
  // A short notice may speak of cookies: a wall asks for a decision.
  ['cookie wall', /(?:we use (?:\w+ ){0,3}cookies|we value your privacy|our (?:\d+ )?partners|before you continue|consent to (?:the use of )?cookies|wir verwenden (?:\w+ ){0,2}cookies|nous utilisons (?:\w+ ){0,2}cookies)[\s\S]{0,600}(?:(?:accept|reject|allow|decline|agree to) (?:all|cookies|only)|i agree|accept or (?:reject|decline)|manage (?:your )?(?:\w+ )?(?:choices|preferences|settings)|cookie settings|save (?:my )?preferences|alle akzeptieren|akzeptieren ablehnen|tout accepter)/],
  ['needs a browser', /(?:enable|requires?|turn on|activate) javascript|javascript (?:is|must be|to be) (?:disabled|required|enabled)|unsupported browser|(?:update|upgrade) your browser|browser is (?:not supported|out ?dated)|enable cookies|^loading\W*$/],
] // biome-ignore format: one phrase group a line

/** Pages shorter than this are judged by what they say; longer ones say such things in passing. */
const NOTICE_WORDS = 150
/** Up to this many words, such a phrase in the first lines condemns a page. */
const NOTICE_WORDS_AT_TOP = 400
const TOP_CHARACTERS = 400
/** No legal document is this short. */
const LEAST_WORDS = 20

/**
 * Why a text is no legal document at all: an error page, a login page, a cookie wall … `earlier` is the text in force:
 * what it says itself is no sign of an error, and a page that keeps most of it is judged less harshly.
 */
export function notADocument(text: ReadText, signals: string[], earlier?: ReadText): string | undefined {
  const words = text.plainWords
  const before = earlier?.plainWords
  if (words === 0) return signals[0] ?? 'empty'
  const collapsed = before !== undefined && words < before * SIZE_HELD_BELOW
  const limit = collapsed ? Math.max(NOTICE_WORDS_AT_TOP, NOTICE_WORDS) : NOTICE_WORDS
  for (const [reason, phrase] of words <= NOTICE_WORDS_AT_TOP ? PHRASES : []) {
    if (!(words <= limit && phrase.test(text.plain)) && !phrase.test(text.plain.slice(0, TOP_CHARACTERS))) continue
    if (collapsed || earlier === undefined || !phrase.test(earlier.plain)) return reason
  }
  if (signals.length > 0 && words < (collapsed ? NOTICE_WORDS_AT_TOP : NOTICE_WORDS)) return signals[0]
  if (words < LEAST_WORDS) return 'too short'
  return earlier !== undefined && partFailed(earlier, text) ? 'part of the page is an error' : undefined
}

/** What a page says where a part of it did not load; short, and about the page itself. */
const PART_FAILED =
  /^(?:sorry,? )?(?:(?:this|the) (?:page|site)(?: you \w+ \w+ \w+)? (?:isn't|is not|is no longer) (?:available|found|working)|the link may be broken|page (?:was )?not found|an? (?:unexpected |unknown |internal )?(?:server )?error (?:has )?occurred|something went wrong|(?:internal )?server error|try reloading the page|404\b|access denied)/
const PART_FAILED_WORDS = 30
/** So many words have to be gone for it: a document may well come to speak of errors. */
const PART_FAILED_LOST = 50

/** Returns whether an error replaces a passage: a page is put together from several, and one failed. */
function partFailed(earlier: ReadText, later: ReadText): boolean {
  const known = new Set(earlier.blocks.map((block) => block.key))
  const failed = later.blocks.some(
    ({ key, words, text }) =>
      words.length <= PART_FAILED_WORDS && !known.has(key) && PART_FAILED.test(text.replace(/^## /, '').toLowerCase()),
  )
  if (!failed) return false
  const kept = new Set(later.blocks.map((block) => block.key))
  const lost = earlier.blocks.filter((block) => !kept.has(block.key))
  return lost.reduce((sum, block) => sum + block.words.length, 0) >= PART_FAILED_LOST
}
