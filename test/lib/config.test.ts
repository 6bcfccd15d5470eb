import { expect, it } from 'vitest'
import { pagesUrl, readConfig } from '../../src/lib/config.ts'

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

it('reads how mail is sent, and wants to know whom it is from', () => {
  const read = (env: Record<string, string>) => readConfig(env).mail
  expect(read({})).toBeUndefined()
  const settings = { SMTP_URL: 'smtp://us%40er:p%3Aw@mail.example.com', PRICETAPE_MAIL_FROM: 'Prices <p@example.com>' }
  expect(read(settings)).toEqual({
    server: { host: 'mail.example.com', port: 587, tls: 'starttls', auth: { user: 'us@er', pass: 'p:w' } },
    from: { name: 'Prices', address: 'p@example.com' },
  })
  expect(() => readConfig({ SMTP_URL: 'smtp://mail.example.com' })).toThrow(/PRICETAPE_MAIL_FROM: set both or neither/)
  expect(() => readConfig({ PRICETAPE_OPERATOR_EMAILS: 'ada@example.com' })).toThrow(/needs SMTP_URL/)
  const replica = { PRICETAPE_DATABASE_REPLICA_URL: 'postgres://replica.example/prices' }
  expect(() => readConfig(replica)).toThrow(/needs DATABASE_URL/)
  expect(() => readConfig({ PRICETAPE_OPERATOR_EMAILS: 'ada@example.com, ada' })).toThrow(/must be e-mail addresses/)
  expect(() => readConfig({ PRICETAPE_MAIL_FROM: 'Ada\nbcc: x <ada@example.com>' })).toThrow(/must be ADDRESS/)
})

it('reads keys of sellers, and no setting shows one', () => {
  const read = (text: string) => readConfig({ PRICETAPE_SOURCE_KEYS: text }).sourceKeys
  expect(read('nebius-models=v1.abc=, baseten-models=x')).toEqual({ 'nebius-models': 'v1.abc=', 'baseten-models': 'x' })
  expect(readConfig({}).sourceKeys).toEqual({})
  for (const wrong of ['geheim', 'a=', 'a=geheim,', 'A=geheim', 'a=ge heim']) {
    expect(() => read(wrong)).toThrow('PRICETAPE_SOURCE_KEYS: must be SOURCE=KEY')
    expect(() => read(wrong)).not.toThrow(/geheim|ge heim/)
  }
})

it('names an address of pages only where everyone may read them', () => {
  const at = { PRICETAPE_PUBLIC_URL: 'https://prices.example.com' }
  expect(pagesUrl(readConfig({ ...at, PRICETAPE_PUBLIC_PAGES: 'true' }))).toBe('https://prices.example.com')
  expect(pagesUrl(readConfig({ ...at, PRICETAPE_PUBLIC_PAGES: 'false' }))).toBeUndefined()
})
