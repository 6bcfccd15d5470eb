import { isObject, type JsonObject } from '../../reading/json.ts'
import type { Amount, Reading } from './declaration.ts'

/** Every value of an object with its way as the key: `{input: {usd: 1}}` gives `input.usd`. A null is not given. */
export function leaves(object: JsonObject, at: string[] = []): Amount[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const way = [...at, name]
    if (value === null) return []
    return isObject(value) ? leaves(value, way) : [{ key: way.join('.'), value, at: way }]
  })
}

const STEPS = '_tiers'

/**
 * Reads `input` with `input_tiers: [{cost, min, max}]` beside it: the whole request is charged at the step that its size
 * falls into, `min` included. The first step is the price without a tier, written twice.
 */
export function withSteps(pricing: JsonObject, { report }: Reading): Amount[] {
  return Object.entries(pricing).flatMap(([key, value]): Amount[] => {
    if (value === null) return []
    if (!key.endsWith(STEPS)) return [{ key, value, at: [key] }]
    const stem = key.slice(0, -STEPS.length)
    return (Array.isArray(value) ? value : [value]).flatMap((step: unknown, index): Amount[] => {
      const from = isObject(step) ? (step.min ?? 0) : undefined
      const at = [key, index, 'cost']
      if (!isObject(step) || !Number.isSafeInteger(from) || Number(from) < 0) {
        report('a step that does not say from how many tokens on', step)
        return []
      }
      if (from !== 0) return [{ key: stem, value: step.cost, at, tier: { context: `>=${from}` } }]
      if (pricing[stem] === undefined) return [{ key: stem, value: step.cost, at }]
      if (String(pricing[stem]) !== String(step.cost)) report('a first step that is not the price without steps', step)
      return []
    })
  })
}
