import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { lacks } from '../../support/suite/needs.ts'

const DAYS = Array.from({ length: 40 }, (_, index) => new Date(Date.UTC(2026, 2, 1 + index)).toISOString().slice(0, 10))

/** What OpenRouter's own list says: dollars per million of input, by model. */
type ListPrices = Record<string, number>

function writeLists(folder: string, said: (day: number) => ListPrices): void {
  mkdirSync(join(folder, 'openrouter-models'), { recursive: true })
  const manifest = DAYS.map((day, index) => {
    const file = `${day}.json.gz`
    const data = Object.entries(said(index)).map(([id, price]) => ({ id, pricing: { prompt: `${price / 1e6}` } }))
    writeFileSync(join(folder, 'openrouter-models', file), gzipSync(JSON.stringify({ data })))
    return { file, committedAt: `${day}T12:00:00+00:00` }
  })
  writeFileSync(join(folder, 'openrouter-models', 'manifest.json'), JSON.stringify(manifest))
}

function writeRun(folder: string, served: (day: number) => ListPrices): void {
  mkdirSync(folder)
  const lines = DAYS.map((day, index) => {
    const rows = Object.entries(served(index)).map(([name, price]) => {
      return ['genai-prices', 'openrouter', name, 'input_tokens', 'usd_per_token', '{}', `${price / 1e6}`]
    })
    return `${JSON.stringify({ day, served: rows, open: [] })}\n`
  })
  writeFileSync(join(folder, 'served.ndjson.gz'), gzipSync(lines.join('')))
  writeFileSync(join(folder, 'reviews.json'), '[]')
  writeFileSync(join(folder, 'events.ndjson'), '')
}

/** The rows of the table that compare.py prints. */
function figures(said: (day: number) => ListPrices, served: (day: number) => ListPrices): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'pricetape-difference-'))
  try {
    writeLists(join(folder, 'lists'), said)
    writeRun(join(folder, 'run'), served)
    const given = [join(folder, 'lists'), '--to', DAYS[10]!, `run=${join(folder, 'run')}`]
    const printed = execFileSync('python3', ['bench/default/compare.py', ...given], { encoding: 'utf8' })
    const rows = printed.split('\n').filter((line) => line.startsWith('| '))
    return Object.fromEntries(rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''))))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe.skipIf(lacks('Python 3.9'))('the difference that measures a default installation (needs Python 3.9)', () => {
  it("counts a served line that the seller's own list contradicts for over 48 hours, and not for less", () => {
    const said = (day: number) => ({ 'a/long': day < 2 ? 1 : 2, 'a/short': day === 9 || day === 10 ? 2 : 1 })
    const found = figures(said, () => ({ 'a/long': 1, 'A/Short': 1 }))
    expect(found['contradicted for over 48 hours, on the last day']).toBe('1 of 2 (50.0 %)')
  })

  it('counts a change that its list keeps for a week as served when it was served within two days', () => {
    const said = (day: number) => ({
      'a/soon': day < 3 ? 1 : 2,
      'a/never': day < 3 ? 1 : 2,
      'a/back': day === 3 ? 2 : 1,
    })
    const found = figures(said, (day) => ({ 'a/soon': day < 5 ? 1 : 2, 'a/never': 1, 'a/back': 1 }))
    expect(found['lasting changes of served lines, served within 48 hours']).toBe('1 of 2 (50.0 %); 1 never')
  })

  it("counts a model that the seller's own list dropped as removed when it was gone within 21 days", () => {
    const said = (day: number): ListPrices =>
      day < 3 ? { 'a/kept': 1, 'a/removed': 1, 'a/served': 1 } : { 'a/kept': 1 }
    const served = (day: number): ListPrices =>
      day < 24 ? { 'a/kept': 1, 'a/removed': 1, 'a/served': 1 } : { 'a/kept': 1, 'a/served': 1 }
    const found = figures(said, served)
    expect(found['models gone for good, removed within 21 days']).toBe('1 of 2 (50.0 %); 1 not')
  })
})
