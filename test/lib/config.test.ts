import { expect, it } from 'vitest'
import { readConfig } from '../../src/lib/config.ts'

it('needs no setting at all', () => {
  expect(readConfig({})).toMatchObject({ port: 8080, checkIntervalMs: 300_000, allowPrivateEndpoints: false })
})

it('names every wrong setting at once', () => {
  const read = () => readConfig({ PORT: 'http', LOG_LEVEL: 'loud', PRICETAPE_SECRET_KEY: 'short' })
  expect(read).toThrow(/PORT: [\s\S]*LOG_LEVEL: [\s\S]*PRICETAPE_SECRET_KEY: must be 32 random bytes in base64/)
})

it('treats an empty setting as absent', () => {
  expect(readConfig({ DATABASE_URL: '' }).databaseUrl).toBeUndefined()
})

it('refuses development’s settings in production', () => {
  const read = () =>
    readConfig({ NODE_ENV: 'production', PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true', PRICETAPE_CHECK_INTERVAL: '10' })
  expect(read).toThrow(/PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: [\s\S]*PRICETAPE_CHECK_INTERVAL: must be 300/)
})
