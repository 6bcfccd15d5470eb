import { expect } from 'vitest'
import { compareWithGolden, steady } from '../check-screen.ts'
import type { Screen } from '../screen.tsx'

/**
 * Compares what a page shows and reads at each of its addresses with a golden file. What is shown does not depend on the
 * address before: nothing of another one stays, and nothing that was read for it is taken for the new one.
 * @param addresses the first is that with which the others are compared
 */
export async function checkAddresses(
  name: string,
  open: (path: string) => () => Promise<Screen>,
  addresses: string[],
): Promise<void> {
  const shown = new Map<string, { text: string; reads: string[] }>()
  const parts: string[] = []
  let [first, firstReads]: [string[], string[]] = [[], []]
  for (const address of addresses) {
    const screen = await open(address)()
    const text = steady(screen.text())
    const reads = [...new Set(screen.reads())].sort()
    screen.close()
    shown.set(address, { text, reads })
    const lines = text.split('\n')
    if (parts.length === 0) [first, firstReads] = [lines, reads]
    parts.push(
      [
        `== ${address}`,
        ...reads.filter((read) => parts.length === 0 || !firstReads.includes(read)).map((read) => `reads ${read}`),
        ...(parts.length === 0 ? lines : shorter(changed(first, lines), lines)),
      ].join('\n'),
    )
  }
  await compareWithGolden(name, parts)
  const screen = await open(addresses[0]!)()
  const known = new Set(screen.reads())
  for (const address of [...addresses.slice(1), ...addresses]) {
    const before = screen.address()
    await screen.go(address, () => {})
    for (const read of screen.reads()) known.add(read)
    const { text, reads } = shown.get(address)!
    expect(steady(screen.text()), `${address} after ${before}`).toBe(text)
    const unread = reads.filter((read) => !known.has(read))
    expect(unread, `not read at ${address} after ${before}`).toEqual([])
  }
  screen.close()
}

const changed = (before: string[], after: string[]): string[] => [
  ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
  ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
]

/** A page that has little in common with the first one is read best as a whole. */
const shorter = (changes: string[], whole: string[]): string[] => (changes.length < whole.length ? changes : whole)
