import { expect, it } from 'vitest'
import { readConfig } from '../../src/lib/config.ts'
import { checkRole } from '../../src/roles/role.ts'

const KEY = `${'A'.repeat(43)}=`
const SHARED = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://db/prices',
  TEMPORAL_ADDRESS: 'temporal:7233',
  PRICETAPE_SECRET_KEY: KEY,
}
const refusalOf = (role: 'api' | 'worker' | 'migrate' | 'all', without: keyof typeof SHARED) => {
  const { [without]: _, ...env } = SHARED
  try {
    checkRole(readConfig(env), role)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

it.each(['api', 'worker', 'migrate', 'all'] as const)(
  'a process with --role %s starts with the settings of production',
  (role) => {
    expect(() => checkRole(readConfig(SHARED), role)).not.toThrow()
  },
)

it('nothing but reading starts in production without a secret key', () => {
  for (const role of ['worker', 'migrate'] as const)
    expect(refusalOf(role, 'PRICETAPE_SECRET_KEY')).toBe(
      `A process with --role ${role} shares its servers with others: set PRICETAPE_SECRET_KEY.`,
    )
  expect(refusalOf('api', 'PRICETAPE_SECRET_KEY')).toBeUndefined()
})

it('a worker alone needs a Temporal server of others, and every process their database', () => {
  expect(refusalOf('worker', 'TEMPORAL_ADDRESS')).toContain('set TEMPORAL_ADDRESS.')
  for (const role of ['api', 'migrate'] as const) expect(refusalOf(role, 'TEMPORAL_ADDRESS')).toBeUndefined()
  for (const role of ['api', 'worker', 'migrate'] as const)
    expect(refusalOf(role, 'DATABASE_URL')).toContain('set DATABASE_URL.')
  expect(refusalOf('all', 'DATABASE_URL')).toBeUndefined()
})
