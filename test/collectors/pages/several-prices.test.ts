import { describe, expect, it } from 'vitest'
import { SnapshotError } from '../../../src/collectors/index.ts'
import type { Several } from '../../../src/collectors/reading/pages/declaration.ts'
import { separated } from '../../../src/collectors/reading/pages/several.ts'
import { type Cards, cardTables } from '../../../src/collectors/reading/tables/cards.ts'

const cell = (text: string) => ({ text, codes: [], links: [], labels: [], isHeading: false })
const parts = (text: string, several: Several) =>
  separated(cell(text), several).map(({ meaning, cell, unread }) => [meaning.kind, cell.text, ...(unread ? ['?'] : [])])

describe('a cell with several prices', () => {
  const inOrder: Several = { inOrder: [{ kind: 'input' }, { kind: 'cache_read' }, { kind: 'output' }], between: '/' }
  const byWords: Several = {
    byWords: [
      [/^input$/, { kind: 'input' }],
      [/^(?:out|output)$/, { kind: 'output' }],
      [/^result$/, { kind: 'output' }],
    ],
  }

  it('is read in the declared order, and only with all of them', () => {
    expect(parts('$3.00 / $0.30 / $15', inOrder)).toEqual([
      ['input', '$3.00 '],
      ['cache_read', ' $0.30 '],
      ['output', ' $15'],
    ])
    expect(parts('—', inOrder).map(([, text]) => text)).toEqual(['—', '—', '—'])
    for (const text of ['$3.00', '$3.00 / $15', '$3 / $1 / $2 / $4'])
      expect(parts(text, inOrder)).toEqual([
        ['input', text, '?'],
        ['cache_read', '-'],
        ['output', '-'],
      ])
  })

  it('is read by the words behind each, in any order; what is absent is none', () => {
    expect(parts('$0.15 input$0.60 Output', byWords)).toEqual([
      ['input', '$0.15'],
      ['output', '$0.60'],
    ])
    expect(parts('$1,200.50 out', byWords)).toEqual([
      ['output', '$1,200.50'],
      ['input', '-'],
    ])
    expect(parts('-', byWords).map(([, text]) => text)).toEqual(['-', '-'])
  })

  it.each([
    '$1 input $2',
    '$1 input $2 input',
    '$1 out $2 result',
    'from $1 input',
    '$1.5.2 input',
    '$1,5 input',
    '$1 2 input',
    '$ input',
    '$1 tokens',
    'Free',
    'ContactSales',
  ])('is not read where it is “%s”', (text) => expect(parts(text, byWords)[0]).toEqual(['input', text, '?']))
})

describe('boxes that a page hands to its script', () => {
  const cards: Cards = {
    groups: 'groups', title: 'title', models: 'models', name: 'name', prices: 'prices', unit: ['own', 'per'],
    labelled: [['a', 'priceA'], ['b', 'priceB']],
  } // biome-ignore format: a declaration
  const push = (text: string) => `<script>self.__next_f.push([1,${JSON.stringify(text)}])</script>`
  const tables = (...texts: string[]) =>
    cardTables(`<html>${texts.map(push).join('')}</html>`, cards).map(({ headings, rows }) => [
      headings[0]!.text,
      ...rows.map((row) => row.map(({ text }) => text).join(' | ')),
    ])
  const groups = JSON.stringify([
    {
      title: '$$Chat',
      models: [
        { name: 'One "1"', per: '1M tokens', note: 'a [b] {', prices: [{ a: 'Input', priceA: 0.15, b: 'Output', priceB: 0.6 }] },
        { name: 'Two', per: '1M tokens', prices: [{ a: 'Cost', priceA: 2, b: 'Output', priceB: null, own: '1K searches' }] },
        { name: 'None', per: '1M tokens' },
      ],
    },
  ]) // biome-ignore format: data

  it('are a table each, with a column for each price, wherever the data is cut in two', () => {
    const data = `2:{"groups":${groups},"x":"]"}`
    const expected = [
      ['$Chat', 'Model | Unit | Input | Output', 'One "1" | 1M tokens | $0.15 | $0.6'],
      ['$Chat', 'Model | Unit | Cost', 'Two | 1K searches | $2'],
    ]
    for (let at = 1; at < data.length; at += 7) expect(tables(data.slice(0, at), data.slice(at))).toEqual(expected)
  })

  it('keep a price that a float would take for zero', () => {
    const small = groups.replace('0.15', '1e-400')
    expect(tables(`2:{"groups":${small}}`)[0]).toEqual([
      '$Chat',
      'Model | Unit | Input | Output',
      'One "1" | 1M tokens | $1e-400 | $0.6',
    ])
  })

  it('are none where the data has no such list, and an error where it ends within it', () => {
    expect(tables('2:{"offers":[]}')).toEqual([])
    expect(tables('2:{"groups":[1,"x",{"models":[2],"title":3}]}')).toEqual([])
    expect(() => tables(`2:{"groups":${groups.slice(0, 90)}`)).toThrow(SnapshotError)
    expect(() => tables('2:{"groups":[oops]}')).toThrow(/no list under “groups”/)
  })
})
