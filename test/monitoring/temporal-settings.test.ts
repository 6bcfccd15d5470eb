import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { externalTemporal } from '../../src/temporal/external.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pricetape-temporal-'))
  for (const name of ['ADDRESS', 'NAMESPACE', 'API_KEY', 'PROFILE']) vi.stubEnv(`TEMPORAL_${name}`, undefined)
  vi.stubEnv('TEMPORAL_CONFIG_FILE', join(folder, 'none.toml'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

it('Temporal is reached as its own tools are: by address and namespace, which is the default one unless it is named', () => {
  vi.stubEnv('TEMPORAL_ADDRESS', 'temporal.example.com:7233')
  expect(externalTemporal()).toMatchObject({
    connection: { address: 'temporal.example.com:7233' },
    namespace: 'default',
  })
  vi.stubEnv('TEMPORAL_NAMESPACE', 'prices')
  expect(externalTemporal().namespace).toBe('prices')
})

it('Settings of Temporal that cannot be read are said in one sentence', async () => {
  const file = join(folder, 'broken.toml')
  await writeFile(file, '[profile.default\naddress =')
  vi.stubEnv('TEMPORAL_CONFIG_FILE', file)
  expect(() => externalTemporal()).toThrow(
    expect.objectContaining({
      name: 'OperatorError',
      message: expect.stringMatching(/^The settings for Temporal cannot be read: ./),
    }),
  )
})
