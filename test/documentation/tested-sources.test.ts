import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readSources } from '../../src/collectors/sources-file.ts'

const page = readFileSync(new URL('../../docs/sources.md', import.meta.url), 'utf8')
const section = (page.split('## What each source was tested on')[1] ?? '').split('\n## ')[0]!
/** The names in the first column; `*` stands for any end. */
const named = [...section.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell]) =>
  [...cell!.matchAll(/`([a-z0-9*-]+)`/g)].map((match) => match[1]!),
)
const isNamed = (source: string) =>
  named.some((name) => (name.endsWith('*') ? source.startsWith(name.slice(0, -1)) : name === source))

describe('docs/sources.md', () => {
  it('says of every source of prices what it was tested on', () => {
    const read = readSources().all.filter(({ kind, format }) => kind === 'prices' && format !== 'curated')
    expect(read.length).toBeGreaterThan(50)
    expect(read.map(({ source }) => source).filter((source) => !isNamed(source))).toEqual([])
  })

  it('names no source that is not declared', () => {
    const declared = readSources().all.map(({ source }) => source)
    const isDeclared = (name: string) =>
      name.endsWith('*') ? declared.some((source) => source.startsWith(name.slice(0, -1))) : declared.includes(name)
    expect(named.filter((name) => !isDeclared(name))).toEqual([])
  })
})
