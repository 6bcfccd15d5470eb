import { expect, it } from 'vitest'
import { shownUnit } from '../../src/catalog/shown-unit-rules.ts'

it.each([
  ['usd_per_token', 6, 'million tokens'],
  ['eur_per_character', 6, 'million characters'],
  ['usd_per_pixel', 6, 'million pixels'],
  ['usd_per_gpu_hour', 0, 'GPU hour'],
  ['usd_per_vcpu_hour', 0, 'vCPU hour'],
  ['usd_per_gib_month', 0, 'GiB month'],
  ['credit_per_usd', 0, 'USD'],
  ['usd_per_image', 0, 'image'],
  ['usd_per_token_hour', 0, 'token hour'],
  ['usd_per_constructor', 0, 'constructor'],
])('people read a price in %s moved by %i places, per %s', (unit, places, per) => {
  expect(shownUnit(unit)).toEqual({ places, per })
})
