import { MAX_NAME_CHARACTERS } from '../../schema.ts'

/** Words that make another product of a name: never a renaming without a person's decision. */
const QUALIFIERS = new Set(
  (
    'free fast slow batch flex priority turbo mini nano micro small medium large xl lite flash pro max ultra plus ' +
    'preview beta alpha exp experimental latest stable thinking reasoning instruct chat base code coder vision vl audio ' +
    'image video tts stt transcribe realtime search online embed embedding rerank guard safety distill highspeed speed ' +
    'high low medium extended regional global us eu ap apac jp au ca spot ondemand reserved fp8 fp16 bf16 int4 int8 awq ' +
    'gptq quantized dedicated serverless sxm pcie nvl air haiku sonnet opus next new old legacy deprecated'
  ).split(' '),
)

/** The parts of a resource's name that renaming compares. */
export type NameParts = {
  /** The last segment of the path, letters and digits alone. */
  core: string
  /** The product, whatever the order of the words and whatever version the name pins. */
  product: string
  /** The path before the last segment, letters and digits alone; empty when there is no path. */
  maker: string
  /** The words of the last segment. */
  words: Set<string>
}

export function nameParts(name: string): NameParts {
  const segments = readable(name).split('/')
  const last = segments.pop()!
  const segment = last.replace(/:0$/, '').replace(/(\d)p(?=\d)/g, '$1.')
  return {
    core: lettersAndDigits(segment),
    product: productOf(segment),
    maker: lettersAndDigits(segments.join('')),
    words: new Set(wordsOf(last).filter(Boolean)),
  }
}

/**
 * Returns the last segment of a name's path, letters and digits alone. It is equal for `anthropic/Claude-3.5`,
 * `claude-3-5` and `claude-3p5`, and for `claude-3-5:0`, the first revision of that name.
 */
export const core = (name: string): string => nameParts(name).core

/** Returns the product that a name means, whatever the order of its words and whatever version it pins. */
export const product = (name: string): string => nameParts(name).product

function readable(name: string): string {
  const bounded = name.slice(0, MAX_NAME_CHARACTERS)
  try {
    return decodeURIComponent(bounded).toLowerCase()
  } catch {
    return bounded.toLowerCase()
  }
}

const lettersAndDigits = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}]+/u)

const productOf = (segment: string) =>
  wordsOf(segment.replace(/[-@](20\d{2}-?[01]\d-?[0-3]\d|latest|default)$/, ''))
    .sort()
    .join('-')

/** `meta/llama` and `meta-llama/llama` have one maker. A name without a maker can be anyone's: it is in every maker. */
export const sameMaker = (a: NameParts, b: NameParts): boolean => a.maker.includes(b.maker) || b.maker.includes(a.maker)

/** Whether one core contains the other. */
export const contains = (a: NameParts, b: NameParts): boolean => a.core.includes(b.core) || b.core.includes(a.core)

/** A name this long inside another is not an accident. */
export const TELLING_LENGTH = 6

/**
 * Whether two names are one name in another spelling, or with its maker added or left out. Any other difference, be
 * it one word, can be another variant, which only a person knows.
 */
export const sameName = (a: NameParts, b: NameParts): boolean =>
  sameMaker(a, b) && (a.core === b.core || hasMakerBefore(a.core, b) || hasMakerBefore(b.core, a))

/** `meta-llama-3` beside `meta-llama/Llama-3`: the first name begins with the maker in the second one's path. */
function hasMakerBefore(long: string, short: NameParts): boolean {
  if (!long.endsWith(short.core)) return false
  const before = long.slice(0, long.length - short.core.length)
  return short.core.length >= TELLING_LENGTH && short.maker.includes(before)
}

/** Whether names differ neither in version nor in variant: no differing word has a digit or is a qualifier. */
export function sameProduct(a: NameParts, b: NameParts): boolean {
  if (!sameMaker(a, b)) return false
  if (a.core === b.core) return true
  const isMinor = (word: string) => !/\d/.test(word) && !QUALIFIERS.has(word)
  return (
    [...a.words].every((word) => b.words.has(word) || isMinor(word)) &&
    [...b.words].every((word) => a.words.has(word) || isMinor(word))
  )
}

/** Returns twice the longest common subsequence over both lengths: 1 for equal texts, 0 without a common letter. */
export function similarity(a: string, b: string): number {
  if (a === b) return 1
  let row = new Uint16Array(b.length + 1)
  let next = new Uint16Array(b.length + 1)
  for (let i = 0; i < a.length; i++) {
    const letter = a.charCodeAt(i)
    for (let j = 0; j < b.length; j++)
      next[j + 1] = letter === b.charCodeAt(j) ? row[j]! + 1 : Math.max(row[j + 1]!, next[j]!)
    ;[row, next] = [next, row]
  }
  return (2 * row[b.length]!) / (a.length + b.length)
}
