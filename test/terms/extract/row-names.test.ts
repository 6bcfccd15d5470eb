import { describe, expect, it } from 'vitest'
import { nameColumn } from '../../../src/terms/normalize/row-names-rules.ts'
import { blocksOf, differenceOf } from '../compare/read.ts'

/** The names of the rows of a text. */
const names = (markdown: string) => blocksOf(markdown).flatMap(({ row }) => row ?? [])

describe('the column that names the rows of a table', () => {
  it.each<[header: string[], row: string[], column: number]>([
    [['', ''], ['Alpha', 'Hosting'], 0],
    [['No.', 'Partner'], ['1', 'Alpha'], 1],
    [['Purpose', 'Sub-processor', 'Country'], ['Hosting', 'Alpha', 'US'], 1],
    [['Type of subprocessor', 'Name'], ['Hosting', 'Alpha'], 1],
    [['Entity', 'Processing location'], ['Alpha', 'US'], 0],
    [['', 'Country'], ['1.', 'US'], 1],
    [['Fee', 'Amount'], ['Setup', '5'], 0],
    [['Service name', 'Sub-processor', 'Country'], ['API', 'Alpha', 'US'], 1],
    [['Name', 'Name of the sub-processor'], ['API', 'Alpha'], 1],
    [['Company', 'Subprocessor services'], ['Alpha', 'Mail'], 0],
    [['Name', 'Provider', 'Expiry'], ['id', 'Alpha', 'A year'], 0],
  ])('of %j is the %j', (header, row, column) => {
    expect(nameColumn([header, row])).toBe(column)
    expect(nameColumn([header])).toBe(header.some((title) => /Sub|Name|Partner/.test(title)) ? column : 0)
  })
})

describe('the name of a row', () => {
  it('is not a title of a column that the page marks as none', () => {
    const table = (...rows: string[]) => ['|  |  |', '| --- | --- |', ...rows].join('\n')
    expect(names(table('| Subcontractor | Purpose |', '| Alpha | Mail |'))).toEqual(['Alpha'])
    expect(names(table('| Purpose | Subcontractor name |', '| Mail | Alpha |'))).toEqual(['Alpha'])
    expect(names(table('| Alpha Company | United States |', '| Beta | Mail |'))).toEqual(['Alpha Company', 'Beta'])
    expect(names(table('| Name | Purpose |'))).toEqual(['Name'])
  })

  it('is the first line of its cell: a card in one cell has its name there', () => {
    const card = (name: string, what: string) => `| ${name}<br><br>•<br><br>${what}<br><br>United States |`
    const table = (...cards: string[]) => ['## Subprocessors', ['|     |', '| --- |', ...cards].join('\n')].join('\n\n')
    const before = table(card('Alpha', 'Billing'), card('Beta', 'Mail'))
    expect(names(before)).toEqual(['Alpha', 'Beta'])
    const after = table(card('Alpha', 'Billing and mail'), card('Gamma', 'Mail'))
    expect(differenceOf(before, after).rows).toEqual([
      { section: 'Subprocessors', added: ['Gamma'], removed: ['Beta'], changed: ['Alpha'] },
    ])
    expect(names('|  |\n| --- |\n| •<br>Delta<br>Mail |')).toEqual(['Delta'])
  })

  it('is the name of an entry of a list of sub-processors, without what it is for', () => {
    const list = (title: string, ...entries: string[]) =>
      `${title}\n\n${entries.map((entry) => `- ${entry}`).join('\n')}`
    const entries = ['Alpha, Inc. (hosting)', 'Beta GmbH – mail', 'Gamma: billing, United States', 'Delta Ltd']
    const all = ['Alpha, Inc.', 'Beta GmbH', 'Gamma', 'Delta Ltd']
    expect(names(list('## Sub-processors', ...entries))).toEqual(all)
    expect(names(list('We use these subprocessors:', ...entries))).toEqual(all)
    expect(names(list('## Third-party service providers', ...entries))).toEqual(all)
    expect(names(list('## Unterauftragsverarbeiter', ...entries))).toEqual(all)
    expect(names(list('## Services', ...entries))).toEqual([])
    expect(names(list('## Sub-processors', 'Alpha, Inc. (hosting)'))).toEqual([])
    const clauses = ['We may engage sub-processors.', 'We will inform you of them.', 'Alpha']
    expect(names(list('## Sub-processors', ...clauses))).toEqual([])
  })
})
