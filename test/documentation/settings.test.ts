import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/lib/config.ts'

const ROOT = join(import.meta.dirname, '../..')

/** What the table of settings says is the default of each setting that has one. */
function documentedDefaults(): Record<string, string> {
  const text = readFileSync(join(ROOT, 'docs/configure.md'), 'utf8')
  const [table] = /\| Setting \| Default \|[\s\S]*?\n\n/.exec(text)!
  const cells = table
    .split('\n')
    .slice(2, -2)
    .map((line) => line.split('|'))
  const named = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
  return Object.fromEntries(
    cells.flatMap(([, settings, defaults]) => {
      const values = defaults!.split(',').map((value) => named(value)[0])
      return named(settings).flatMap((name, n) => (values[n] === undefined ? [] : [[name, values[n]]]))
    }),
  )
}

describe('the defaults of docs/configure.md', () => {
  const defaults = documentedDefaults()

  it('are those of a start without settings', () => {
    // What other programs decide, and files whose place the code computes.
    const { PRICETAPE_CACHE_DIR, PRICETAPE_SOURCES, ...ours } = defaults
    expect([PRICETAPE_CACHE_DIR, PRICETAPE_SOURCES]).toEqual(['~/.cache/pricetape', 'sources/prices.json'])
    expect(readConfig(ours)).toEqual(readConfig({}))
  })

  it.each([
    ['PORT', '8080'],
    ['HOST', '127.0.0.1'],
    ['PRICETAPE_DATABASE_POOL', '10'],
    ['PRICETAPE_TEMPORAL_UI_PORT', '8233'],
    ['PRICETAPE_CHECK_INTERVAL', '300'],
    ['PRICETAPE_MAX_IN_FLIGHT', '64'],
    ['PRICETAPE_MAX_IN_FLIGHT_PER_ENDPOINT', '8'],
    ['PRICETAPE_ROUND_SHARDS', '16'],
    ['PRICETAPE_PUBLIC_PAGES', 'false'],
    ['PRICETAPE_ALLOW_PRIVATE_ENDPOINTS', 'false'],
    ['PRICETAPE_SIGN_UP', 'invitation'],
    ['LOG_LEVEL', 'info'],
    ['NODE_ENV', 'development'],
  ])('%s is %s', (name, value) => {
    expect(defaults[name]).toBe(value)
  })
})
