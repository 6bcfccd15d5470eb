import { describe, expect, it } from 'vitest'
import { rowChanges } from '../../../src/terms/compare/lists/rows-rules.ts'
import { block, change, row } from '../normalize/blocks.ts'

const inSection = (section: string, ...names: string[]) => names.map((name) => row(name, { section }))
const cells = (name: string, text: string) => block(text, { row: name })

describe('the rows that were added and removed', () => {
  it('are named by section, in the order of the document', () => {
    const changes = [
      change(inSection('Hosting', 'Alpha', 'Beta'), inSection('Hosting', 'Gamma')),
      change([], inSection('Mail', 'Delta', 'Epsilon')),
      change(inSection('Hosting', 'Zeta'), []),
    ]
    expect(rowChanges(changes)).toEqual([
      { section: 'Hosting', added: ['Gamma'], removed: ['Alpha', 'Beta', 'Zeta'], changed: [] },
      { section: 'Mail', added: ['Delta', 'Epsilon'], removed: [], changed: [] },
    ])
  })

  it('are changed where another cell is, however the name is written', () => {
    const [found] = rowChanges([change([cells('Alpha, Inc.', 'Alpha Ireland')], [cells('Alpha Inc', 'Alpha France')])])
    expect(found).toEqual({ section: '', added: [], removed: [], changed: ['Alpha Inc'] })
  })

  it('are not those that moved within their section', () => {
    expect(rowChanges([change([row('Alpha')], []), change([], [row('Alpha')])])).toEqual([])
  })

  it('are those that moved to another section', () => {
    expect(rowChanges([change(inSection('A', 'Alpha'), inSection('B', 'Alpha'))])).toEqual([
      { section: 'A', added: [], removed: ['Alpha'], changed: [] },
      { section: 'B', added: ['Alpha'], removed: [], changed: [] },
    ])
  })

  it('are compared under another heading where at least half of the names are there', () => {
    const moved = (...after: string[]) =>
      rowChanges([change(inSection('Old', 'Alpha', 'Beta', 'Gamma', 'Delta'), inSection('New', ...after))])
    expect(moved('Alpha', 'Beta', 'Zeta')).toEqual([
      { section: 'New', added: ['Zeta'], removed: ['Gamma', 'Delta'], changed: [] },
    ])
    expect(moved('Alpha', 'Zeta').map(({ section }) => section)).toEqual(['Old', 'New'])
  })

  it('are not paragraphs and no rows without a name', () => {
    expect(rowChanges([change([block('Alpha')], [block('Beta')]), change([row('')], [])])).toEqual([])
  })

  it('are at most 100 names of 200 characters in each of 20 sections', () => {
    const names = Array.from({ length: 101 }, (_, i) => `n${i}`)
    const [found] = rowChanges([change(inSection('', ...names), [row('x'.repeat(201))])])
    expect(found!.removed).toEqual(names.slice(0, 100))
    expect(found!.added).toEqual(['x'.repeat(200)])
    const sections = names.slice(0, 21).map((name) => change(inSection(name, 'Alpha'), []))
    expect(rowChanges(sections).map(({ section }) => section)).toEqual(names.slice(0, 20))
  })
})
