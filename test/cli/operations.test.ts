import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { roleEnvironment } from '../../src/embedded/role-processes.ts'
import { READERS } from '../../src/lib/config.ts'

const ROOT = join(import.meta.dirname, '..', '..')

describe('what the documentation says of settings and keys', () => {
  it('lists every setting, and no other', async () => {
    const text = await readFile(join(ROOT, 'docs', 'configure.md'), 'utf8')
    const table = /\| Setting \| Default \|[\s\S]*?\n\n/.exec(text)![0]
    const rows = table
      .split('\n')
      .slice(2)
      .map((line) => line.split('|')[1] ?? '')
    const documented = rows.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map((match) => match[1]))
    const ofTemporal = ['TEMPORAL_API_KEY']
    expect(documented.filter((name) => !ofTemporal.includes(name!)).sort()).toEqual(Object.keys(READERS).sort())
  })

  it('says how every secret among the settings is changed', async () => {
    const page = await readFile(join(ROOT, 'docs', 'keys.md'), 'utf8')
    const secrets = Object.keys(READERS).filter((name) =>
      /(?<!PASS)KEY|SECRET|SMTP_URL|DATABASE_URL|OUTBOUND_PROXY/.test(name),
    )
    expect(secrets.length).toBe(9)
    expect(secrets.filter((name) => !page.includes(`\`${name}\``) && !page.includes(`${name}=`))).toEqual([])
  })

  it('is right that the API gets no old keys of webhook secrets, and nothing that is not ours', () => {
    const keys = { PRICETAPE_SECRET_KEY: 'k', PRICETAPE_OLD_SECRET_KEYS: 'o' }
    const env = { ...keys, DATABASE_URL: 'd', TEMPORAL_API_KEY: 't', GITHUB_TOKEN: 'g', PORT: '1' }
    const both = { DATABASE_URL: 'd', TEMPORAL_API_KEY: 't', PRICETAPE_SECRET_KEY: 'k' }
    expect(roleEnvironment('api', env)).toEqual({ ...both, PORT: '1' })
    expect(roleEnvironment('worker', env)).toEqual(both)
  })
})
