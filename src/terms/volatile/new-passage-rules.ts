import type { Comparer } from '../compare/changes-rules.ts'
import { type Unit, wordsId } from '../normalize/units-rules.ts'
import { wordingOf } from './align-rules.ts'
import { excerptsOf, lastingKeys, recentTexts, shortKey } from './place-rules.ts'
import type { Place } from './schema.ts'
import type { Found } from './share-rules.ts'
import { varyingWords } from './varying-words-rules.ts'

/**
 * What is left out of a unit that came with a passage: its numbers, where they differ at every fetch and the sentence
 * stays. Returns undefined when more than numbers differ.
 */
export function withVaryingWords(place: Place, unit: Unit, compare: Comparer): Unit | undefined {
  const recent = recentTexts(place)
  const wordings = recent?.map((text) => wordingOf(unit.text, excerptsOf(text)))
  if (!wordings?.every((wording) => wording !== undefined)) return undefined
  const words = varyingWords(unit.text, wordings, compare)
  return words && { ...unit, id: wordsId(unit.id, words), words: words.length }
}

/**
 * The parts of a place that differ, when a passage that came there is in force: its other sentences are compared again,
 * and a sentence of which only numbers differ is a part of its own. Where none differs, it is the place as it was.
 */
export function narrowed(found: Found, current: Unit[], compare: Comparer): Found[] {
  const { place, from, to } = found
  const lasting = lastingKeys(place)
  const parts: (Found & { isAlone: boolean })[] = []
  for (let i = from; i < to; i++) {
    const unit = current[i]!
    if (lasting.has(shortKey(unit))) continue
    const isAlone = withVaryingWords(place, unit, compare) !== undefined
    const last = parts.at(-1)
    if (last?.to === i && !last.isAlone && !isAlone) last.to = i + 1
    else parts.push({ place, from: i, to: i + 1, units: [], isAlone })
  }
  return parts.length === 0 ? [found] : parts
}
