import type { Block, ReadText } from '../normalize/normal-form-rules.ts'
import type { Change } from './changes-rules.ts'

/** What a prize game is called. `Contest` and `concurso` are more than that: their rules say so. */
const GAME =
  /(?<!\p{L})(?:sweepstakes?|giveaways?|prize (?:draw|competition)|raffle|(?:contest|competition) rules|jeu(?:x)?[- ]concours|tirage au sort|gewinnspiel\p{L}*|verlosung\p{L}*|preisausschreiben|sorteos?|concorso a premi|sorteios?|passatempos?|winacties?|prijsvra(?:ag|gen)|nagradn\p{L}+ (?:igr|tekmovanj|natječaj)\p{L}*|nyereményjáték\p{L}*|utlottning\p{L}*)(?!\p{L})/iu
/** The rules of one game say when it begins and when it ends; a clause about games in general does not. */
const DATES = 2
const DAY =
  /\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?20\d{2}|20\d{2}-\d{1,2}-\d{1,2}|\d{1,2}\.?\s(?:de )?\p{L}{3,12}\.?(?: de)?,? 20\d{2}|\p{L}{3,12} \d{1,2}(?:st|nd|rd|th)?, 20\d{2}/giu

/** Paragraphs that belong to the rules of one prize game: from a heading that names it, as far as parts speak of it. */
function gameRules({ blocks }: ReadText): Set<Block> {
  const rules = new Set<Block>()
  for (const [from, block] of blocks.entries()) {
    if (!block.heading || rules.has(block) || !GAME.test(block.text)) continue
    const game = partsOf(blocks, from)
    if (new Set(game.flatMap(({ text }) => text.match(DAY) ?? [])).size >= DATES)
      for (const part of game) rules.add(part)
  }
  return rules
}

function partsOf(blocks: Block[], from: number): Block[] {
  let end = nextHeading(blocks, from)
  for (let next = nextHeading(blocks, end); end < blocks.length; next = nextHeading(blocks, end)) {
    if (!blocks.slice(end, next).some(({ text }) => GAME.test(text))) break
    end = next
  }
  return blocks.slice(from, end)
}

function nextHeading(blocks: Block[], from: number): number {
  const next = blocks.findIndex(({ heading }, i) => i > from && heading)
  return next < 0 ? blocks.length : next
}

/** Returns a test of changes: whether one is within the rules of a prize game, which a page shows while it lasts. */
export function onlyPrizeGames(before: ReadText, after: ReadText): (change: Change) => boolean {
  const rules = [before, after].map(gameRules) as [Set<Block>, Set<Block>]
  return (change) =>
    change.before.every((block) => rules[0].has(block)) && change.after.every((block) => rules[1].has(block))
}
