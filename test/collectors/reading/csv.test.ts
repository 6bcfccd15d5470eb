import { describe, expect, it } from 'vitest'
import { csvReader, type Row, readCsv } from '../../../src/collectors/reading/csv.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const rowsOf = (text: string, needed: string[] = []) => readCsv(bytesOf(text), needed)

describe('a table', () => {
  it('gives each row by its columns, with its number, quotes and empty lines aside', () => {
    expect(rowsOf('a,b\n1, 2 \n\n"x,\n""y""",\r\n')).toEqual([
      { a: '1', b: '2', line: '2' },
      { a: 'x,\n"y"', b: '', line: '3' },
    ])
    expect(rowsOf('\ufeffa\n1')).toEqual([{ a: '1', line: '2' }])
    expect(rowsOf('line,a\nx,1')).toEqual([{ line: '2', a: '1' }])
  })

  it('is the same in parts, also where a name of a column has quotes', () => {
    const text = '"a ""b""","c,d"\n"1\n2",3\n4,"5"\n6,7'
    const whole = rowsOf(text)
    expect(whole.map((row) => [row['a "b"'], row['c,d']])).toEqual([
      ['1\n2', '3'],
      ['4', '5'],
      ['6', '7'],
    ])
    for (const size of [1, 2, 7]) {
      const rows: Row[] = []
      const reader = csvReader(['c,d'], (row) => rows.push(row))
      const bytes = bytesOf(text)
      for (let from = 0; from < bytes.length; from += size) reader.push(bytes.subarray(from, from + size))
      reader.end()
      expect(rows).toEqual(whole)
    }
  })

  it('gives its rows as soon as they are complete', () => {
    const rows: string[] = []
    const reader = csvReader(['a'], (row) => rows.push(row.a!))
    reader.push(bytesOf('a\n1\n2'))
    expect(rows).toEqual(['1'])
    reader.push(bytesOf('3\n'))
    expect(rows).toEqual(['1', '23'])
    reader.end()
    expect(rows).toEqual(['1', '23'])
  })

  it('gives them so where cells have quotes too: a line break inside quotes ends no row', () => {
    const rows: string[] = []
    const reader = csvReader(['a'], (row) => rows.push(row.a!))
    reader.push(bytesOf('a\n"1\n2"\n"3'))
    expect(rows).toEqual(['1\n2'])
    reader.push(bytesOf('\n4"\n5\n6'))
    expect(rows).toEqual(['1\n2', '3\n4', '5'])
    reader.end()
    expect(rows).toEqual(['1\n2', '3\n4', '5', '6'])
  })

  it.each([
    ['', 'The answer is empty; a table of prices was expected.'],
    [' \n\n', 'The answer is empty; a table of prices was expected.'],
    ['a,x\n', 'The table has a header and no rows.'],
    ['a,x', 'The table has a header and no rows.'],
    ['b,c\n1,2\n', 'The table has no column a, x: the format changed.'],
    ['a,x,b,x\n1,2,3,4\n', 'The table has two columns named x: which one holds is unknown.'],
    ['a,x\n1\n', 'The table is damaged or cut off: '],
    ['a,x\n1,"2\n', 'The table is damaged or cut off: '],
    [' <!DOCTYPE html>\n<p>', 'The answer is a web page, not CSV: the address may have moved or ask for a sign-in.'],
    ['<?xml?>\n', 'The answer is a web page, not CSV'],
  ])('is refused with one sentence: %j', (text, message) => {
    expect(() => rowsOf(text, ['a', 'x'])).toThrow(message)
  })

  it('may have columns without a name, and markup in its cells', () => {
    expect(rowsOf('a,,\n1,2,3\n')).toHaveLength(1)
    expect(rowsOf('a,b\n1,2\n  ')).toEqual([{ a: '1', b: '2', line: '2' }])
    expect(rowsOf('"a ""x""",b\n1,2\n')).toEqual([{ 'a "x"': '1', b: '2', line: '2' }])
    expect(rowsOf('a\n<html>\n')).toEqual([{ a: '<html>', line: '2' }])
  })

  it('is refused where a row is longer than 64 KB, whether it ends or not', () => {
    const cell = (length: number) => 'x'.repeat(length)
    expect(rowsOf(`a\n${cell(60_000)}\n`)).toHaveLength(1)
    expect(() => rowsOf(`a\n${cell(70_000)}\n`)).toThrow('damaged or cut off')
    const reader = csvReader(['a'], () => {})
    reader.push(bytesOf(`a\n1\n"${cell(200_000)}`))
    expect(() => reader.push(bytesOf(cell(70_000)))).toThrow('damaged or cut off')
  })

  it('names the line of a damaged row, wherever its part begins', () => {
    const lines = ['a,b', ...Array.from({ length: 20 }, () => '1,2'), '1', '1,2', '']
    const reader = () => csvReader(['a'], () => {})
    expect(() => rowsOf(lines.join('\n'))).toThrow('on line 22.')
    const inParts = reader()
    expect(() => {
      for (const line of lines) inParts.push(bytesOf(`${line}\n`))
    }).toThrow('on line 22.')
    const inTwo = reader()
    inTwo.push(bytesOf('a,b\n1,2\n'))
    expect(() => inTwo.push(bytesOf(lines.slice(1).join('\n')))).toThrow('on line 23.')
    const longHeader = reader()
    longHeader.push(bytesOf('a,"b\nc"\n1,2\n'))
    expect(() => longHeader.push(bytesOf('1\n'))).toThrow('on line 4.')
  })
})
