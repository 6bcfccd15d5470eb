import type { Usage, UsageItem } from '../../../../../clients/typescript/src/cost/index.ts'
import { text } from '../../../search.ts'
import { shownContext } from '../money.ts'

/** The tokens of one request, in the order of the form. Each counts once. */
export const TOKENS = [
  { dimension: 'input_tokens', label: 'Input' },
  { dimension: 'cache_read_tokens', label: 'Cache read' },
  { dimension: 'cache_write_tokens', label: 'Cache write' },
  { dimension: 'output_tokens', label: 'Output' },
  { dimension: 'reasoning_tokens', label: 'Reasoning' },
] as const
export const SERVICES = ['standard', 'batch', 'flex', 'priority'] as const
type Service = (typeof SERVICES)[number]
/** Returns a service by its name; the standard one for any other. */
export const serviceOf = (name: string | undefined): Service => SERVICES.find((known) => known === name) ?? 'standard'

/** What people come with: how many tokens a request has, how often it is sent, and to which service. */
export type Workload = { amounts: number[]; requests: number; service: Service }

export const MIXES: { name: string; label: string; amounts: number[] }[] = [
  { name: 'chat', label: 'Chat', amounts: [3_000, 0, 0, 500, 0] },
  { name: 'agent', label: 'Agent with cache', amounts: [2_000, 18_000, 1_000, 800, 0] },
  { name: 'embeddings', label: 'Embeddings', amounts: [500, 0, 0, 0, 0] },
]
const REQUESTS = 1_000_000
const MOST = 1e12

/** A workload is in the address of the page. */
export type WorkloadSearch = {
  tokens?: string | undefined
  requests?: string | undefined
  service?: string | undefined
}
export const readWorkloadSearch = (search: Record<string, unknown>): WorkloadSearch => ({
  tokens: text(search.tokens),
  requests: text(search.requests),
  service: text(search.service),
})

/** Returns the workload of an address; chat where it has none. */
export function workloadOf({ tokens, requests, service }: WorkloadSearch): Workload {
  const amounts = tokens?.split(',').map(countOf)
  const known = amounts?.length === TOKENS.length && !amounts.includes(undefined) ? (amounts as number[]) : undefined
  return {
    amounts: known ?? MIXES[0]!.amounts,
    requests: countOf(requests) ?? REQUESTS,
    service: serviceOf(service),
  }
}

/** Returns how an address names a workload. */
export const searchOf = ({ amounts, requests, service }: Workload): WorkloadSearch => ({
  tokens: amounts.join(','),
  requests: requests === REQUESTS ? undefined : String(requests),
  service: service === 'standard' ? undefined : service,
})

/** The mix that has these tokens; absent for one of a person's own. */
export const mixOf = ({ amounts }: Workload): string | undefined =>
  MIXES.find((mix) => mix.amounts.join() === amounts.join())?.name

/** `Chat × 1M`: the mix and how often it is sent. */
export const workloadText = (workload: Workload): string => {
  const mix = MIXES.find(({ name }) => name === mixOf(workload))
  return `${mix?.label ?? 'own'} × ${shownContext(String(workload.requests))}`
}

export function usageOf({ amounts, requests, service }: Workload): Usage {
  const items: UsageItem[] = TOKENS.map(({ dimension }, n) => ({ dimension, quantity: amounts[n]! }))
  return { items, requests, tier: { service } }
}

/** A whole number that was typed, as a field or an address has it. */
export function countOf(typed: string | number | undefined): number | undefined {
  const count = typeof typed === 'number' ? typed : typed !== undefined && /^\d+$/.test(typed) ? Number(typed) : -1
  return Number.isInteger(count) && count >= 0 && count <= MOST ? count : undefined
}
