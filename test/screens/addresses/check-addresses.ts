import { expect } from 'vitest'
import { changedLines, compareWithGolden, steady } from '../check-screen.ts'
import type { Screen } from '../screen.tsx'

/** The address of a page, and the same with each of these searches. */
export const withSearches = (page: string, searches: string[]): string[] => [
  page,
  ...searches.map((search) => `${page}?${search}`),
]

export type Open = (path: string) => () => Promise<Screen>
type PageContent = { text: string; reads: string[] }

/**
 * Compares what a page shows and reads at each of its addresses with a golden file. What is shown does not depend on the
 * address before: nothing of another one stays, and nothing that was read for it is taken for the new one.
 * @param addresses the first is that with which the others are compared
 */
export async function checkAddresses(name: string, open: Open, addresses: string[]): Promise<void> {
  const alone = new Map<string, PageContent>()
  for (const address of addresses) alone.set(address, await shownAt(open, address))
  const [first] = alone.values()
  const parts = [...alone].map(([address, shown]) => [`== ${address}`, ...linesOf(shown, first!)].join('\n'))
  await compareWithGolden(name, parts)
  const screen = await open(addresses[0]!)()
  const known = new Set(readsOf(screen))
  for (const address of [...addresses.slice(1), ...addresses]) {
    const before = screen.address()
    await screen.go(address, () => {})
    for (const read of readsOf(screen)) known.add(read)
    const { text, reads } = alone.get(address)!
    expect(steady(screen.text()), `${address} after ${before}`).toBe(text)
    const unread = reads.filter((read) => !known.has(read))
    expect(unread, `not read at ${address} after ${before}`).toEqual([])
  }
  screen.close()
}

/** An address that says how long ago something was is read as of another minute soon after. */
const readsOf = (screen: Screen): string[] => screen.reads().map(steady)

async function shownAt(open: Open, address: string): Promise<PageContent> {
  const screen = await open(address)()
  const shown = { text: steady(screen.text()), reads: [...new Set(readsOf(screen))].sort() }
  screen.close()
  return shown
}

/** A page that has little in common with the first one is read best as a whole. */
function linesOf(shown: PageContent, first: PageContent): string[] {
  const whole = shown.text.split('\n')
  if (shown === first) return [...shown.reads.map((read) => `reads ${read}`), ...whole]
  const reads = shown.reads.filter((read) => !first.reads.includes(read))
  const changes = changedLines(first.text.split('\n'), whole)
  return [...reads.map((read) => `reads ${read}`), ...(changes.length < whole.length ? changes : whole)]
}
