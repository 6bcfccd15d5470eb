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

it.each([
  ['PORT', ['0', '65535'], ['-1', '65536', '80.5']],
  ['PRICETAPE_DATABASE_POOL', ['2', '1000'], ['1', '1001']],
  ['PRICETAPE_CHECK_INTERVAL', ['1', '300'], ['0', '301']],
  ['PRICETAPE_MAX_IN_FLIGHT', ['1'], ['0', '1.5']],
  ['PRICETAPE_MAX_IN_FLIGHT_PER_ENDPOINT', ['1'], ['0', '1.5']],
  ['PRICETAPE_ROUND_SHARDS', ['1', '256'], ['0', '257']],
  ['PRICETAPE_METRICS_PORT', ['1', '65533'], ['0', '65534']],
  ['OTEL_TRACES_SAMPLER_ARG', ['0', '0.25', '1'], ['-0.1', '1.1']],
  ['PRICETAPE_OFFLINE', ['true', 'false'], ['yes', '1']],
  ['PRICETAPE_SIGN_UP', ['open', 'invitation'], ['closed']],
  ['PRICETAPE_LOG_ORIGIN', ['prices.example.com/v1/log'], ['two words', 'a+b', 'x'.repeat(201)]],
  ['PRICETAPE_SECRET_KEY', [`${'A'.repeat(43)}=`], [`${'A'.repeat(42)}=`, `${'A'.repeat(44)}=`]],
  ['PRICETAPE_PUBLIC_URL', ['https://prices.example.com'], ['prices']],
  ['PRICETAPE_TEMPORAL_UI_URL', ['http://temporal.example'], ['ftp://temporal.example']],
])('%s takes %j and not %j', (name, taken, refused) => {
  for (const value of taken) expect(() => readConfig({ [name]: value }), value).not.toThrow()
  for (const value of refused) expect(() => readConfig({ [name]: value }), value).toThrow(`${name}: `)
})

it('takes the notices’ address only together with the secret that signs them', () => {
  const secret = `whsec_${'A'.repeat(32)}`
  const url = 'https://ops.example.com/notices'
  const read = (PRICETAPE_OPERATOR_WEBHOOK: string, PRICETAPE_OPERATOR_SECRET: string) =>
    readConfig({ PRICETAPE_OPERATOR_WEBHOOK, PRICETAPE_OPERATOR_SECRET }).operatorWebhook
  expect(read(url, secret)).toEqual({ url, secret })
  expect(read('', '')).toBeUndefined()
  const both = 'PRICETAPE_OPERATOR_WEBHOOK and PRICETAPE_OPERATOR_SECRET: set both or neither'
  expect(() => read(url, '')).toThrow(both)
  expect(() => read('', secret)).toThrow(both)
  expect(() => read(url, `whsec_${'A'.repeat(31)}`)).toThrow('must be whsec_ and 24 or more random bytes')
})

it('refuses an address of notices that no notice would be sent to', () => {
  const read = (PRICETAPE_OPERATOR_WEBHOOK: string, more = {}) =>
    readConfig({ PRICETAPE_OPERATOR_WEBHOOK, PRICETAPE_OPERATOR_SECRET: `whsec_${'A'.repeat(32)}`, ...more })
  expect(() => read('http://alertmanager.internal:9093/notices')).toThrow(
    /PRICETAPE_OPERATOR_WEBHOOK: The URL must begin with https:.*Port 9093.*local name/,
  )
  expect(() => read('https://hooks.corp.example.com:8443/geheim')).toThrow(/PRICETAPE_OPERATOR_WEBHOOK: Port 8443/)
  expect(() => read('https://hooks.corp.example.com:8443/geheim')).not.toThrow(/geheim/)
  expect(() => read('notices')).toThrow(/PRICETAPE_OPERATOR_WEBHOOK: This is not a URL/)
  const own = 'http://127.0.0.1:9093/notices'
  expect(read(own, { PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true' }).operatorWebhook?.url).toBe(own)
})

it('traces to the collector that is named, and to an address of traces before that', () => {
  const read = (env: Record<string, string>) => readConfig(env).tracing
  expect(read({ OTEL_TRACES_SAMPLER_ARG: '0.5' })).toBeUndefined()
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }
  expect(read(collector)).toEqual({ url: 'http://collector:4318/v1/traces', ratio: 1 })
  const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces/here', OTEL_TRACES_SAMPLER_ARG: '0.25' }
  expect(read({ ...collector, ...own })).toEqual({ url: 'http://traces/here', ratio: 0.25 })
})

it('answers scrapers where a port is set, on this machine alone unless it is told otherwise', () => {
  const read = (env: Record<string, string>) => readConfig(env).monitoring
  expect(read({ PRICETAPE_METRICS_HOST: '0.0.0.0' })).toBeUndefined()
  expect(read({ PRICETAPE_METRICS_PORT: '9464' })).toEqual({ host: '127.0.0.1', port: 9464 })
  expect(read({ PRICETAPE_METRICS_PORT: '9464', PRICETAPE_METRICS_HOST: '0.0.0.0' })?.host).toBe('0.0.0.0')
})

it('uses a Temporal server of others where an address, a profile or a file says which', () => {
  const read = (env: Record<string, string>) => readConfig(env).temporal
  expect(read({ TEMPORAL_NAMESPACE: 'prices' })).toMatchObject({ external: false, namespace: 'prices' })
  expect(read({}).namespace).toBe('default')
  for (const name of ['TEMPORAL_ADDRESS', 'TEMPORAL_PROFILE', 'TEMPORAL_CONFIG_FILE'])
    expect(read({ [name]: 'x' }).external, name).toBe(true)
})

it('reads lists with spaces, and addresses without the slash at their end', () => {
  const read = readConfig({
    PRICETAPE_TRUSTED_PROXIES: ' 10.0.0.1, 10.0.0.2,,',
    PRICETAPE_PUBLIC_URL: 'https://prices.example.com//',
  })
  expect(read.trustedProxies).toEqual(['10.0.0.1', '10.0.0.2'])
  expect(read.publicUrl).toBe('https://prices.example.com')
})
