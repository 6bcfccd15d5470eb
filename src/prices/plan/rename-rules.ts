import type { Instant } from '../../lib/instant.ts'

/** A resource as renaming is judged: its name, what each of its lines costs and, once it was listed, since when. */
export type Named = { provider: string; resource: string; prices: Map<string, string>; since?: Instant }

export type RenameVerdict = { from: Named; to: Named; verdict: 'renamed' | 'possible' }

/** A listed name as alike as this, at equal prices or none, may be the missing one: a person decides. */
const ALIKE = 0.8
/** So may a new name with equal prices that is less alike. */
const MAYBE_ALIKE = 0.5

/** A name this long inside another is no accident. */
const TELLING_LENGTH = 6

/** Words that make another product of a name: never taken for a renaming without a person. */
const QUALIFIERS = new Set(
  (
    'free fast slow batch flex priority turbo mini nano micro small medium large xl lite flash pro max ultra plus ' +
    'preview beta alpha exp experimental latest stable thinking reasoning instruct chat base code coder vision vl audio ' +
    'image video tts stt transcribe realtime search online embed embedding rerank guard safety distill highspeed speed ' +
    'high low medium extended regional global us eu ap apac jp au ca spot ondemand reserved fp8 fp16 bf16 int4 int8 awq ' +
    'gptq quantized dedicated serverless sxm pcie nvl air haiku sonnet opus next new old legacy deprecated'
  ).split(' '),
)

/**
 * Which missing resources go on under the name of a newly listed one. Every missing one appears at most once. A
 * resource listed before (`others`) that differs only in spelling is a possible renaming, for a person to decide.
 */
export function findRenames(missing: Named[], listed: Named[], others: Named[] = []): RenameVerdict[] {
  if (missing.length === 0) return []
  const byPrices = new Map<string, Named[]>()
  for (const one of listed) group(byPrices, `${one.provider}|${fingerprint(one)}`, one)
  const byProvider = new Map<string, Named[]>()
  for (const one of listed) group(byProvider, one.provider, one)
  const byPricesBefore = new Map<string, Named[]>()
  for (const one of others) group(byPricesBefore, `${one.provider}|${fingerprint(one)}`, one)
  const byName = new Map<string, Named[]>()
  const byProduct = new Map<string, Named[]>()
  for (const one of [...listed, ...others]) {
    group(byName, `${one.provider}|${core(one.resource)}`, one)
    group(byProduct, `${one.provider}|${product(one.resource)}`, one)
  }
  const proposals = missing.flatMap((from) => {
    const equals = byPrices.get(`${from.provider}|${fingerprint(from)}`) ?? []
    const same = equals.filter((to) => sameName(from, to))
    if (same.length > 0) return [{ from, to: same[0]!, clear: same.length === 1 }]
    const alike = (to: Named) => similarity(core(from.resource), core(to.resource))
    const best = equals.map((to) => ({ to, alike: alike(to) })).sort((a, b) => b.alike - a.alike)[0]
    if (best && (best.alike >= MAYBE_ALIKE || contains(from.resource, best.to.resource)))
      return [{ from, to: best.to, clear: false }]
    const twin =
      byName.get(`${from.provider}|${core(from.resource)}`)?.find((one) => sameMaker(from, one)) ??
      byPricesBefore
        .get(`${from.provider}|${fingerprint(from)}`)
        ?.find((one) => alike(one) >= ALIKE && sameProduct(from, one)) ??
      byProduct.get(`${from.provider}|${product(from.resource)}`)?.find((one) => followed(from, one)) ??
      byProvider.get(from.provider)?.find((one) => repriced(from, one))
    return twin ? [{ from, to: twin, clear: false }] : []
  })
  const claims = new Map<Named, number>()
  for (const { to } of proposals) claims.set(to, (claims.get(to) ?? 0) + 1)
  return proposals.map(({ from, to, clear }) => {
    const sure = clear && claims.get(to) === 1 && someMoney(from)
    return { from, to, verdict: sure ? 'renamed' : 'possible' }
  })
}

/**
 * The same name in another spelling, or with its maker put before or taken away: what else differs, be it one word,
 * can be another variant, which only a person knows.
 */
function sameName(from: Named, to: Named): boolean {
  if (!sameMaker(from, to)) return false
  const [a, b] = [core(from.resource), core(to.resource)]
  return a === b || hasMakerBefore(a, b, to) || hasMakerBefore(b, a, from)
}

/** `meta-llama-3` beside `meta-llama/Llama-3`: the maker stands in the one name, and in the path of the other. */
function hasMakerBefore(long: string, short: string, pathed: Named): boolean {
  const before = long.endsWith(short) ? long.slice(0, long.length - short.length) : ''
  return before !== '' && short.length >= TELLING_LENGTH && maker(pathed.resource).includes(before)
}

/** Whether a name of the same product came later than the missing one: it may be what that became. */
const followed = (from: Named, to: Named): boolean =>
  sameMaker(from, to) && (to.since === undefined || (from.since !== undefined && to.since > from.since))

/** A new name that holds the old one, or is nearly it: renamed and re-priced at once, perhaps. */
function repriced(from: Named, to: Named): boolean {
  const [a, b] = [core(from.resource), core(to.resource)]
  if (Math.min(a.length, b.length) >= TELLING_LENGTH && contains(from.resource, to.resource)) return true
  // As alike as two names of these lengths can be.
  if ((2 * Math.min(a.length, b.length)) / (a.length + b.length) < ALIKE) return false
  return sameProduct(from, to) && similarity(a, b) >= ALIKE
}

function group(map: Map<string, Named[]>, key: string, one: Named) {
  const known = map.get(key)
  if (known) known.push(one)
  else map.set(key, [one])
}

const fingerprint = (one: Named) =>
  [...one.prices]
    .map(([line, price]) => `${line}=${price}`)
    .sort()
    .join('\n')
const someMoney = (one: Named) => [...one.prices.values()].some((price) => price !== '0')

/**
 * The last segment of a name's path, letters and digits alone: `anthropic/Claude-3.5`, `claude-3-5` and `claude-3p5`
 * are alike, and so is `claude-3-5:0`, its first revision.
 */
export function core(name: string): string {
  let found = CORES.get(name)
  if (found === undefined) {
    if (CORES.size >= MOST_CORES) CORES.clear()
    found = lastSegment(name).replace(/[^\p{L}\p{N}]/gu, '')
    CORES.set(name, found)
  }
  return found
}
/** One snapshot compares the same names many times over. */
const CORES = new Map<string, string>()
const MOST_CORES = 50_000

/** Which product a name means, whatever the order of its words and whatever pins or points to a version of it. */
export const product = (name: string) =>
  lastSegment(name)
    .replace(/[-@](20\d{2}-?[01]\d-?[0-3]\d|latest|default)$/, '')
    .split(/[^\p{L}\p{N}]+/u)
    .sort()
    .join('-')

const lastSegment = (name: string) =>
  readable(name)
    .split('/')
    .at(-1)!
    .replace(/:0$/, '')
    .replace(/(\d)p(?=\d)/g, '$1.')

function readable(name: string): string {
  try {
    return decodeURIComponent(name).toLowerCase()
  } catch {
    return name.toLowerCase()
  }
}

const contains = (a: string, b: string) => core(a).includes(core(b)) || core(b).includes(core(a))

/** Neither another version nor another variant: what differs between the names carries no digit and no qualifier. */
function sameProduct(from: Named, to: Named): boolean {
  if (!sameMaker(from, to)) return false
  if (core(from.resource) === core(to.resource)) return true
  const [a, b] = [words(from.resource), words(to.resource)]
  const differing = [...a.filter((word) => !b.includes(word)), ...b.filter((word) => !a.includes(word))]
  return differing.every((word) => !/\d/.test(word) && !QUALIFIERS.has(word))
}

const words = (name: string) =>
  readable(name)
    .split('/')
    .at(-1)!
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** `meta/llama` and `meta-llama/llama` are one maker's; a name without a maker can be anybody's. */
function sameMaker(from: Named, to: Named): boolean {
  const [a, b] = [maker(from.resource), maker(to.resource)]
  return a === '' || b === '' || a.includes(b) || b.includes(a)
}

const maker = (name: string) =>
  readable(name)
    .split('/')
    .slice(0, -1)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Twice the longest common subsequence over both lengths: 1 for equal names, 0 for names with nothing in common. */
export function similarity(a: string, b: string): number {
  if (a.length === 0 || b.length === 0) return a === b ? 1 : 0
  let row = new Array<number>(b.length + 1).fill(0)
  for (const letter of a) {
    const next = [0]
    for (let i = 0; i < b.length; i++) next.push(letter === b[i] ? row[i]! + 1 : Math.max(row[i + 1]!, next[i]!))
    row = next
  }
  return (2 * row.at(-1)!) / (a.length + b.length)
}
