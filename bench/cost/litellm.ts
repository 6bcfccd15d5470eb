/**
 * What 1,000 random usages cost by our calculation and by LiteLLM's, on the list that LiteLLM ships. PYTHON is a Python
 * that has the package: `npx tsx bench/cost/litellm.ts PYTHON [SEED]`.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { type CostPart, costOf, type SellerCost } from '../../clients/typescript/src/cost/index.ts'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { collectorFor } from '../../src/collectors/index.ts'
import { groupBy, tally } from '../../src/lib/collections.ts'
import type { Instant } from '../../src/lib/instant.ts'
import type { Observation } from '../../src/prices/schema.ts'
import {
  itemsOf,
  type Request,
  randomOf,
  randomRequest,
  servedRow,
} from '../../test/support/definitions/random-usages.ts'

const [python = 'python3', seed = '7'] = process.argv.slice(2)
const SCRIPT = join(import.meta.dirname, 'litellm_costs.py')
const MOST_BYTES = 256 * 1024 * 1024
const COUNT = 1_000
const MODES = ['chat', 'completion', 'responses']

type Entry = Record<string, unknown>
type KeyedRequest = { key: string; request: Request }
type Theirs = { total?: number; error?: string }

const ask = (args: string[], input = ''): string =>
  execFileSync(python, [SCRIPT, ...args], { input, maxBuffer: MOST_BYTES, encoding: 'utf8' })

const list = ask(['list'])
const entries: Record<string, Entry> = JSON.parse(list)
const source = sourceDeclaration.parse({ source: 'litellm', format: 'litellm' })
const at = '2025-01-01T00:00:00.000Z' as Instant
const { observations } = collectorFor('litellm')!.parse(new TextEncoder().encode(list), { source, at })
const keyOf = ({ locator }: Observation): string => locator.split('/')[1]!.replaceAll('~1', '/').replaceAll('~0', '~')
const models = [...groupBy(observations, keyOf)].filter(([key]) => MODES.includes(String(entries[key]?.mode)))

const random = randomOf(Number(seed))
const asked = Array.from({ length: COUNT }, () => {
  const [key, own] = models[Math.floor(random() * models.length)]!
  return { key, own, request: randomRequest(random) }
})
const theirs: Theirs[] = JSON.parse(
  ask([], JSON.stringify(asked.map(({ key, request }): KeyedRequest => ({ key, request })))),
)

/** The tier that is in the key itself, such as a region: that of every price without a condition. */
const tierOf = (own: Observation[]) =>
  own.reduce((least, { pricingTier }) => {
    return Object.keys(pricingTier).length < Object.keys(least).length ? pricingTier : least
  }, own[0]!.pricingTier)

/** What LiteLLM leaves out, by what is left of our total without it. */
const LEFT_OUT: [reason: string, isLeftOut: (part: CostPart) => boolean][] = [
  ['cached input without a price of its own is free there', ({ chargedAs }) => chargedAs === 'input_tokens'],
  ['a price for each request is left out there', ({ dimension }) => dimension === 'requests'],
]

function reasonOf({ parts }: SellerCost, theirs: number, entry: Entry): string {
  for (const [reason, isLeftOut] of LEFT_OUT) {
    const rest = parts.filter((part) => !isLeftOut(part))
    const ours = rest.reduce((sum, { cost }) => sum + Number(cost), 0)
    if (rest.length < parts.length && isClose(ours, theirs)) return reason
  }
  return entry.tiered_pricing ? 'tiered_pricing needs another of its functions' : 'not explained'
}

/** Theirs is a float. */
const isClose = (ours: number, theirs: number): boolean => Math.abs(theirs - ours) <= 1e-12 + 1e-9 * ours

const counts: Record<string, number> = {}
for (const [index, { key, own, request }] of asked.entries()) {
  const rows = own.map((observation) => servedRow(observation, 'litellm'))
  const ours = costOf(rows, { items: itemsOf(request), tier: tierOf(own) })
  const { total, error } = theirs[index]!
  const mine = Number(ours.total.USD ?? 0)
  const isSame = total !== undefined && isClose(mine, total)
  const outcome = isSame ? 'the same' : (error ?? reasonOf(ours, total!, entries[key]!))
  tally(counts, outcome)
  if (outcome === 'not explained') console.log(JSON.stringify({ key, request, ours: mine, theirs: total }))
}
console.log(counts)
