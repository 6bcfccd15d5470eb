import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileOf, PROOFS, testFiles } from '../support/suite/proofs.ts'
import times from '../support/suite/times.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '../..')

describe('the suite and the proofs', () => {
  const proofs = Object.values(PROOFS).flat().map(fileOf)

  it('have every file in at least one of them', () => {
    const [suite, others] = [testFiles('suite'), testFiles('proofs')]
    expect(proofs.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
    expect(others.include.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
    expect(suite.include).toEqual(['test/**/*.test.{ts,tsx}'])
    expect(suite.exclude!.filter((file) => !others.include.includes(file))).toEqual([])
    expect(testFiles(undefined)).toEqual({ include: ['test/**/*.test.{ts,tsx}'] })
  })

  it('both fail a run of continuous integration, as a package does that cannot be installed', async () => {
    const script = (await readFile(join(ROOT, '.ci/run'), 'utf8')).split('\n')
    expect(script).toEqual(
      expect.arrayContaining([
        'set -eu',
        'npm test',
        'PRICETAPE_PROOFS=short npm run --silent proofs',
        'npm run --silent pack:check',
      ]),
    )
  })

  it('know how long a file takes that there still is', () => {
    expect(Object.keys(times).filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  })
})
