import { describe, expect, it } from 'vitest'
import { SnapshotError } from '../../../src/collectors/index.ts'
import { parseAs } from '../support.ts'

const AT = { at: '2026-10-12T00:00:00Z' }
const refused = (format: string, page: string, reason: RegExp) => {
  const read = () => parseAs(format)(page, AT)
  expect(read).toThrow(
    expect.toSatisfy((error) => error instanceof SnapshotError && reason.test(error.message), String(reason)),
  )
}

/** Not one price of these pages may be read. */
const EVERYWHERE: [what: string, page: (sample: string) => string, reason: RegExp][] = [
  ['an empty page', () => '', /is empty/],
  ['a sign-in page', () => '<!doctype html><html lang="en"><body><h1>Sign in</h1><form><input></form></body></html>', /does not say/],
  ['the text of a 404', () => '# Page not found\n\nThe page you requested does not exist.', /does not say/],
  ['an answer in JSON', () => '{"error": "not found"}', /is JSON|has no page at data\.content/],
  ['a page cut off before its first table', (sample) => sample.slice(0, sample.search(/<table|\| (?:Model|Organization)\b|\| {3}\||pricingGroups/i)), /does not say|has no table/],
  ['a redesign with prices in boxes', (sample) => sample.replace(/<(\/?)(?:table|thead|tbody|tr|th|td)\b[^>]*>/g, '<$1div>')
        .replaceAll(/^\|[ |-]+\|$|\|/gm, ' ').replaceAll('<DocTable', '<DocCards').replaceAll('pricingGroups', 'offers'), /has no table|does not say/],
  ['another currency', (sample) => sample.replaceAll('$', '¥'), /cannot be read|unknown column|does not say|unknown table/],
] // biome-ignore format: a table

/** A page whose Markdown tables have a column less, or more. */
const cellsOf = (line: string) => line.split('|').slice(1, -1)
const changed = (page: string, name: string, change: (cells: string[], at: number, isHead: boolean) => string[]) => {
  let at = -1
  return page
    .split('\n')
    .map((line, index, all) => {
      if (!line.startsWith('|')) return line
      const isHead = !all[index - 1]?.startsWith('|')
      if (isHead) at = cellsOf(line).findIndex((cell) => cell.trim() === name)
      return at < 0 ? line : `|${change(cellsOf(line), at, isHead).join('|')}|`
    })
    .join('\n')
}
export const without = (name: string) => (page: string) => changed(page, name, (cells, at) => cells.toSpliced(at, 1))
export const withColumn = (name: string, added: string, value: string) => (page: string) =>
  changed(page, name, (cells, at, isHead) =>
    cells.toSpliced(at, 0, isHead ? added : cells[0] === ' --- ' ? '---' : value),
  )

type Change = string | RegExp | ((page: string) => string)
/** What is changed on the newest page, and the reason that its operator reads. */
export type Damage = [what: string, from: Change, to: string, reason: RegExp][]

/** Nothing is read of a page, the newest of its format, that is not as declared. */
export function refusesDamage(newest: { [format: string]: string }, damage: { [format: string]: Damage }): void {
  const formats = Object.keys(newest)
  describe.each(formats)('a page of %s that is not as declared is quarantined with its reason', (format) => {
    const sample = newest[format]!
    it('reads the page itself', () => expect(parseAs(format)(sample, AT).observations.length).toBeGreaterThan(5))

    it.each(EVERYWHERE)('%s', (_, page, reason) => refused(format, page(sample), reason))

    it.each(formats.filter((other) => other !== format))('the page of %s behind its address', (other) =>
      refused(format, newest[other]!, /does not say|is in the language|has no table|is JSON/),
    )

    it.each(damage[format]!)('%s', (_, from, to, reason) => {
      const page = typeof from === 'function' ? from(sample) : sample.replace(from, to)
      expect(page).not.toBe(sample)
      refused(format, page, reason)
    })
  })
}
