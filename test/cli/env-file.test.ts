import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadEnvFile } from '../../src/cli/env-file.ts'

describe('the file .env', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pricetape-env-'))
  afterAll(() => {
    for (const name of ['PRICETAPE_TEST_FILE', 'PRICETAPE_TEST_SHELL']) delete process.env[name]
    rmSync(folder, { recursive: true })
  })

  it('gives settings, and what the shell sets counts more', () => {
    const file = join(folder, '.env')
    writeFileSync(file, 'PRICETAPE_TEST_FILE=file\nPRICETAPE_TEST_SHELL=file\n')
    process.env.PRICETAPE_TEST_SHELL = 'shell'
    loadEnvFile(file)
    expect([process.env.PRICETAPE_TEST_FILE, process.env.PRICETAPE_TEST_SHELL]).toEqual(['file', 'shell'])
  })

  it('may be absent, and is named when it cannot be read', () => {
    expect(() => loadEnvFile(join(folder, 'absent'))).not.toThrow()
    expect(() => loadEnvFile(folder)).toThrow(`The file ${folder} cannot be read:`)
  })
})
