import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { roleEnvironment } from '../../src/embedded/role-processes.ts'
import { READERS } from '../../src/lib/config.ts'

const ROOT = join(import.meta.dirname, '..', '..')

describe('docs/operations.md', () => {
  it('lists every setting, and no other', async () => {
    const text = await readFile(join(ROOT, 'docs', 'operations.md'), 'utf8')
    const table = /\| Setting \| Default \|[\s\S]*?\n\n/.exec(text)![0]
    const rows = table
      .split('\n')
      .slice(2)
      .map((line) => line.split('|')[1] ?? '')
    const documented = rows.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map((match) => match[1]))
    const ofTemporal = ['TEMPORAL_API_KEY']
    expect(documented.filter((name) => !ofTemporal.includes(name!)).sort()).toEqual(Object.keys(READERS).sort())
  })

  it('is right that the API never gets the key that seals webhook secrets', () => {
    const env = { PRICETAPE_SECRET_KEY: 'k', DATABASE_URL: 'd', TEMPORAL_API_KEY: 't', GITHUB_TOKEN: 'g', PORT: '1' }
    expect(roleEnvironment('api', env)).toEqual({ DATABASE_URL: 'd', TEMPORAL_API_KEY: 't', PORT: '1' })
    expect(roleEnvironment('worker', env)).toEqual({
      DATABASE_URL: 'd',
      TEMPORAL_API_KEY: 't',
      PRICETAPE_SECRET_KEY: 'k',
    })
  })
})
