import type { Block } from '../../normalize/normal-form-rules.ts'

const isEntry = ({ row, item }: Block): boolean => row !== undefined || item === true

/** Where entries are: their section, and the lines that introduce their list. All such places of a text too. */
type Places = { ofEntries: Map<string, string[]>; all: Set<string> }

function placesIn(blocks: Block[], linesAbove: number): Places {
  const ofEntries = new Map<string, string[]>()
  const all = new Set<string>()
  let [place, above]: [string, string[]] = ['', []]
  for (const block of blocks) {
    if (!isEntry(block)) {
      above = [...above, block.key].slice(-linesAbove)
      place = [block.section, ...above].join('\n')
      all.add(place)
      continue
    }
    above = []
    const places = ofEntries.get(block.key) ?? []
    places.push(place)
    ofEntries.set(block.key, places)
  }
  return { ofEntries, all }
}

/**
 * Returns whether an entry or a row left one list for another: below `You may` it says something else than below
 * `You may not`. A table has the names of its columns between that line and its rows.
 */
export const changedLists = (before: Block[], after: Block[]): boolean =>
  [1, 2].some((linesAbove) => changedPlaces(placesIn(before, linesAbove), placesIn(after, linesAbove)))

/** Both lists are in both texts: one that has another introduction now is the same list. */
const changedPlaces = (before: Places, after: Places): boolean =>
  [...before.ofEntries].some(([key, places]) => {
    const placesAfter = after.ofEntries.get(key)
    if (placesAfter?.length !== places.length) return false
    const [was, is] = [new Set(places), new Set(placesAfter)]
    const hasLeft = places.some((place) => !is.has(place) && after.all.has(place))
    return hasLeft && placesAfter.some((place) => !was.has(place) && before.all.has(place))
  })
