import { expect, it } from 'vitest'
import { goEnvironment, minimalEnvironment, serverEnvironment } from '../../src/embedded/process/environment.ts'
import { roleEnvironment } from '../../src/embedded/role-processes.ts'
import { READERS } from '../../src/lib/config.ts'
import { expectGolden } from '../support/suite/goldens.ts'

/** What else stands in the environment of a machine: some of it every program needs, and some is a secret of others. */
const MACHINE =
  'PATH HOME TMPDIR LANG LC_ALL TZ HTTPS_PROXY no_proxy SSL_CERT_FILE NODE_OPTIONS NO_COLOR TEMPORAL_TLS_CERT_DATA ' +
  'OTEL_EXPORTER_OTLP_HEADERS GOPROXY GOFLAGS AWS_SECRET_ACCESS_KEY GITHUB_TOKEN NPM_TOKEN PGPASSWORD SSH_AUTH_SOCK LD_PRELOAD'
const env = Object.fromEntries([...MACHINE.split(' '), ...Object.keys(READERS)].map((name) => [name, `the ${name}`]))

it('each process is started with what it reads, and nothing else of the environment', async () => {
  const environments = {
    api: roleEnvironment('api', env),
    worker: roleEnvironment('worker', env),
    migrate: roleEnvironment('migrate', env),
    'PostgreSQL and its tools': serverEnvironment(env),
    'isolated process': minimalEnvironment(env),
    'build with Go': goEnvironment(env),
  }
  const names = Object.entries(environments).map(([process, given]) => [process, Object.keys(given).sort()])
  await expectGolden('environment/processes', Object.fromEntries(names))
  const changed = Object.values(environments).flatMap((given) =>
    Object.entries(given).filter(([name, value]) => value !== env[name] && !['LC_ALL', 'TZ'].includes(name)),
  )
  expect(changed).toEqual([])
})
