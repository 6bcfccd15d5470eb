import { describe, expect, it } from 'vitest'
import { csvOf } from '../../../src/web/pages/prices/take-away/csv.ts'

describe('a file for spreadsheets', () => {
  it.each([
    ['=HYPERLINK("https://evil.example")', `"'=HYPERLINK(""https://evil.example"")"`],
    ['+1+cmd|calc', "'+1+cmd|calc"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
  ])('has %j as a text that no spreadsheet calculates: %j', (name, field) => {
    expect(csvOf([[name, 'x']])).toBe(`${field},x\r\n`)
  })

  it('has numbers, per cents and usual names as they are', () => {
    const row = ['0.0000025', '-1.5', '+25%', 'gpt-4o', 'a=b', '', undefined, null, 12, { context: '>1' }]
    expect(csvOf([row])).toBe('0.0000025,-1.5,+25%,gpt-4o,a=b,,,,12,"{""context"":"">1""}"\r\n')
  })
})
