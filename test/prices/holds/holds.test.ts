import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Hold } from '../../../src/prices/plan/holds/hold.ts'
import { HOLDS } from '../../../src/prices/plan/holds/index.ts'

const FOLDER = join(import.meta.dirname, '../../../src/prices/plan/holds')

it('every file of a hold is in the list, under its level and the name of its code', async () => {
  const files = (await readdir(FOLDER, { recursive: true })).filter((file) => /\/.*\.ts$/.test(file))
  const named = HOLDS.map(({ level, code }) => `${level}/${code.replaceAll('_', '-')}.ts`)
  expect(named.toSorted()).toEqual(files.toSorted())
  expect(new Set(named).size).toBe(named.length)
})

it('what time does not end is what a list cannot be trusted with', () => {
  const holds: readonly Hold[] = HOLDS
  const notByTime = holds.filter(({ ends }) => ends.by !== 'time').map(({ code }) => code)
  expect(notByTime.toSorted()).toEqual([
    'cache_read_above_input',
    'currency_changed',
    'implausible_price',
    'left_by_its_source',
    'output_below_input',
    'power_of_ten',
    'provider_flipped_unit',
    'to_zero',
    'unit_changed',
    'unlike_other_sellers',
  ])
  const days = holds.flatMap(({ code, ends }) => (ends.by === 'time' && ends.days !== 1 ? [[code, ends.days]] : []))
  expect(days).toEqual([
    ['tenfold_with_others', 14],
    ['contradicts_missing_line', 3],
  ])
  const meant = holds.filter(({ isMeantByProviders }) => isMeantByProviders).map(({ code }) => code)
  expect(meant.toSorted()).toEqual([
    'cache_read_above_input',
    'output_below_input',
    'power_of_ten',
    'unlike_other_sellers',
  ])
})
