import { describe, expect, it } from 'vitest'
import { SnapshotError } from '../../../src/collectors/index.ts'
import { columnsOf, transposed } from '../../../src/collectors/reading/tables/grid.ts'
import { readPage } from '../../../src/collectors/reading/tables/page.ts'
import type { Table, Titles } from '../../../src/collectors/reading/tables/schema.ts'

const page = (text: string, titles?: Titles) => readPage(new TextEncoder().encode(text), { titles })
const texts = ({ rows, headerRows }: Table) => rows.slice(headerRows).map((row) => row.map(({ text }) => text))
const columns = (table: Table) => columnsOf(table).map((names) => names.join(' / '))
const above = ({ headings, panes }: Table) => [...headings.map(({ text }) => text), ...panes]
const only = (text: string): Table => {
  const { tables } = page(text)
  expect(tables).toHaveLength(1)
  return tables[0]!
}

describe('an HTML table', () => {
  it('puts a cell that spans rows and columns into each of them', () => {
    const table = only(
      `<table><thead><tr><th rowspan="2">Model</th><th colspan="2">Tokens</th></tr><tr><th>In</th><th>Out</th></tr></thead>
       <tbody><tr><td rowspan="2">a</td><td>1</td><td>2</td></tr><tr><td colspan="2">3</td></tr></tbody></table>`,
    )
    expect(columns(table)).toEqual(['Model', 'Tokens / In', 'Tokens / Out'])
    expect(texts(table)).toEqual([
      ['a', '1', '2'],
      ['a', '3', '3'],
    ])
  })

  it('is turned when its columns are models, with its leading columns as headings', () => {
    const table = only(
      `<table><tr><td colspan="2">MODEL</td><td>m1</td><td>m2</td></tr>
       <tr><td rowspan="2">PRICING</td><td>IN</td><td>$1</td><td>$2</td></tr><tr><td>OUT</td><td colspan="2">$3</td></tr></table>`,
    )
    const turned = transposed(table, 2)
    expect(columns(turned)).toEqual(['MODEL', 'PRICING / IN', 'PRICING / OUT'])
    expect(texts(turned)).toEqual([
      ['m1', '$1', '$3'],
      ['m2', '$2', '$3'],
    ])
  })

  it('says what people read: without what is struck out, footnote marks, hidden words and icons', () => {
    const table = only(
      `<table><tr><th>Model</th><th><button aria-label="more">Input</button></th></tr>
       <tr><td><a href="/m">Large 4<!-- --> <span>↗</span></a><button aria-label="Large 4 (Retired)"><svg><text>x</text></svg></button></td>
       <td><del><span class="sr-only">Original price: </span>$1.36</del><ins><span class="sr-only">Sale price: </span>$0.68</ins><sup>1</sup></td></tr></table>`,
    )
    expect(columns(table)).toEqual(['Model', 'Input'])
    expect(texts(table)).toEqual([['Large 4', '$0.68']])
    expect(table.rows[1]![0]).toMatchObject({ links: [{ text: 'Large 4', to: '/m' }], labels: ['Large 4 (Retired)'] })
  })

  it('has the headings, tabs and texts above it, and the ids that stand below a heading', () => {
    const { tables, pressed, language } = page(
      `<html lang="en"><nav><h2>Elsewhere</h2></nav><main><h1>Prices</h1><h2>Pro</h2><em><code>pro-1</code> and <code>pro-2</code></em>
       <p>Use <code>max_tokens</code>.</p><button aria-pressed="true">Standard</button><button aria-pressed="false">Batch</button>
       <h3>Batch</h3><div data-content-switcher-pane data-value="flex"><table><tr><th>x</th></tr></table></div>
       <h2>Mini</h2><p>See <code>pro-1</code></p><table><tr><th>y</th></tr></table></main></html>`,
    )
    expect(tables.map(above)).toEqual([
      ['Prices', 'Pro', 'Batch', 'flex'],
      ['Prices', 'Mini'],
    ])
    expect(tables.map(({ headings }) => headings.map(({ codes }) => codes))).toEqual([
      [[], ['pro-1', 'pro-2'], []],
      [[], []],
    ])
    expect([pressed, language]).toEqual([['Standard'], 'en'])
  })

  it('may be what a page gives to a component as JSON, with its headings', () => {
    const props = (value: object) => JSON.stringify(value).replaceAll('"', '&quot;')
    const list = (...items: unknown[]) => [1, items.map((item) => [0, item])]
    const group = { model: [0, 'Codex'], rows: [1, [list('gpt-5.3-codex', 1.75, '-')]] }
    const island = { headings: list('Category', 'Model', 'Input', 'Cached input'), groups: list(group) }
    const table = only(`<h2>Specialized</h2><astro-island props="${props(island)}"></astro-island>`)
    expect(columns(table)).toEqual(['Category', 'Model', 'Input', 'Cached input'])
    expect(texts(table)).toEqual([['Codex', 'gpt-5.3-codex', '$1.75', '-']])
    const bare = { rows: [1, [list('gpt-5', 1.25, 10)]] }
    expect(page(`<h2>x</h2><astro-island props="${props(bare)}"></astro-island>`).tables).toEqual([])
  })

  it.each([
    ['a span of thousands of rows', '<table><tr><td rowspan="9999">x</td></tr></table>', /spans more than 1000/],
    ['cells without end', `<table>${'<tr><td colspan="900">x</td></tr>'.repeat(100)}</table>`, /more than 200 columns/],
    ['elements without end', `<p>${'<b>'.repeat(250_001)}`, /more than 250000 tags/],
    ['elements inside each other', `<p>${'<span>'.repeat(600)}`, /nested more than 500 deep/],
  ])('with %s is refused', (_, html, problem) => {
    expect(() => page(html)).toThrow(SnapshotError)
    expect(() => page(html)).toThrow(problem)
  })
})

describe('a Markdown table', () => {
  const markdown = [
    '---', 'title: Pricing', '---', '', '# Pricing', '', 'Flagship models', '', 'Standard', '', '### Standard *pricing* data', '',
    '| Model | Input<br/>per MTok | Note |', '| :--- | ---: | --- |', '| **a**<br />≤ 512k <span class="x">50% off</span> | ~~\\$2~~ \\$1 / MTok<sup>1</sup> | `a\\|b` |',
    '| [b](https://x/b) | $3 | - |', '', '```', '| not | a table |', '| --- | --- |', '```', '',
    '<Tabs>', '  <Tab title="Priority*">', '    | Model | Input |', '    | --- | --- |', '    | c | $4 |', '  </Tab>', '</Tabs>',
  ].join('\n') // biome-ignore format: the lines of a page

  it('is read like one of HTML, in tabs and with lines that head it', () => {
    const { tables } = page(markdown, { 'flagship models': 1, standard: 2 })
    expect(tables.map(above)).toEqual([
      ['Flagship models', 'Standard', 'Standard pricing data'],
      ['Flagship models', 'Standard', 'Standard pricing data', 'Priority*'],
    ])
    expect(tables.map(columns)).toEqual([
      ['Model', 'Input per MTok', 'Note'],
      ['Model', 'Input'],
    ])
    expect(tables.flatMap(texts)).toEqual([
      ['a ≤ 512k 50% off', '$1 / MTok', 'a|b'],
      ['b', '$3', '-'],
      ['c', '$4'],
    ])
  })

  it('may be given to a component of MDX', () => {
    const table = only(
      [
        '# Pricing', '', 'export const DocTable = ({columns = [], rows = []}) => {', '  return <table>', '    </table>;', '};', '',
        '<DocTable', '  columns={[', '{ title: "Model", width: "24%" },', '{ title: "Unit" },', '{ title: "Output Price" },', ']}', '  rows={[',
        '["kimi-k3", "1M tokens", <>{"$"}15.00</>],', '["kimi-x", "1M tokens", fetch("x")],', ']}', '/>',
      ].join('\n'),
    ) // biome-ignore format: the lines of a page
    expect(columns(table)).toEqual(['Model', 'Unit', 'Output Price'])
    expect(texts(table)[0]).toEqual(['kimi-k3', '1M tokens', '$15.00'])
    expect(texts(table)[1]!.join()).not.toMatch(/\$\d/)
  })

  it('that is larger than any table of prices is refused', () => {
    expect(() => page(`| a | b |\n| --- | --- |\n${'| x | y |\n'.repeat(30_000)}`)).toThrow(/larger than 200000/)
  })
})

describe('an answer that is not a page', () => {
  it.each([
    ['nothing', '', /is empty/],
    ['JSON', '{"a": 1}', /is JSON/],
  ])('%s', (_, text, problem) => expect(() => page(text)).toThrow(problem))
})
