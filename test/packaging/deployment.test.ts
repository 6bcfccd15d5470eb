import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { READERS, readConfig } from '../../src/lib/config.ts'
import { VERSION } from '../../src/lib/process/version.ts'
import { composeCommand, lacks } from '../support/suite/needs.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFile(join(ROOT, path), 'utf8')
type Service = {
  image: string
  healthcheck?: { test: string[] }
  depends_on?: Record<string, { condition: string }>
  environment?: Record<string, string>
  read_only?: boolean
  cap_drop?: string[]
  ports?: string[]
  volumes?: string[]
  logging?: unknown
}
/** Settings that mean nothing in a container of docker-compose.yml, or that the file sets itself. */
const NOT_FROM_ENV = [
  ...['NODE_ENV', 'HOST', 'PORT', 'DATABASE_URL', 'TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE', 'TEMPORAL_PROFILE'],
  ...['TEMPORAL_CONFIG_FILE', 'PRICETAPE_TEMPORAL_BINARY', 'PRICETAPE_TEMPORAL_UI_PORT', 'PRICETAPE_DATA_DIR'],
  ...['PRICETAPE_CACHE_DIR', 'PRICETAPE_SOURCES', 'PRICETAPE_URL', 'PRICETAPE_API_KEY', 'PRICETAPE_CHECK_INTERVAL'],
  ...['PRICETAPE_ALLOW_PRIVATE_ENDPOINTS', 'PRICETAPE_EGRESS_ADDRESS'],
  ...['PRICETAPE_METRICS_HOST', 'PRICETAPE_METRICS_PORT', 'PRICETAPE_OLD_SECRET_KEYS'],
]

describe('docker-compose.yml', () => {
  const services = async () =>
    (parse(await read('docker-compose.yml'), { merge: true }) as { services: Record<string, Service> }).services

  it('checks the health of every service that stays; the others are waited for until they are done', async () => {
    const all = await services()
    const jobs = new Set(
      Object.values(all).flatMap(({ depends_on = {} }) =>
        Object.entries(depends_on).flatMap(([name, { condition }]) =>
          condition === 'service_completed_successfully' ? [name] : [],
        ),
      ),
    )
    expect([...jobs].sort()).toEqual(['migrate', 'temporal-namespace', 'temporal-schema'])
    const unchecked = Object.entries(all).filter(([, { healthcheck }]) => !healthcheck)
    expect(unchecked.map(([name]) => name).sort()).toEqual([...jobs].sort())
  })

  it('requires its secrets, and has no default for one', async () => {
    const text = await read('docker-compose.yml')
    for (const secret of ['PRICETAPE_SECRET_KEY', 'POSTGRES_PASSWORD']) {
      const uses = text.match(new RegExp(`\\$\\{${secret}[^}]*\\}`, 'g'))!
      expect(uses.length).toBeGreaterThan(0)
      expect(uses.filter((use) => !use.startsWith(`\${${secret}:?`))).toEqual([])
    }
  })

  it('gives the product no rights, reads only settings that exist, and publishes on this machine alone', async () => {
    const all = await services()
    const ours = Object.values(all).filter(({ image }) => image === `pricetape:${VERSION}`)
    expect(ours).toHaveLength(3)
    for (const { read_only, cap_drop, environment } of ours) {
      expect([read_only, cap_drop]).toEqual([true, ['ALL']])
      expect(Object.keys(environment!).filter((name) => !(name in READERS))).toEqual([])
    }
    const ports = Object.values(all).flatMap(({ ports = [] }) => ports)
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
  })

  it('hands every setting that .env may hold to the product, and one that is empty means nothing', async () => {
    const { api } = await services()
    const handed = Object.entries(api!.environment!).filter(([name, value]) => String(value).startsWith(`\${${name}:`))
    const expected = Object.keys(READERS).filter((name) => !NOT_FROM_ENV.includes(name))
    expect(handed.map(([name]) => name).sort()).toEqual(expected.sort())
    const empty = handed.filter(([name, value]) => value === `\${${name}:-}`).map(([name]) => [name, ''])
    expect(readConfig(Object.fromEntries(empty))).toEqual(readConfig({}))
  })

  it('names every image by its digest: what is pulled tomorrow is what was pulled today', async () => {
    const foreign = Object.values(await services()).filter(({ image }) => image !== `pricetape:${VERSION}`)
    for (const { image } of foreign) expect(image).toMatch(/^[\w/-]+:\d+\.\d+(\.\d+)?@sha256:[0-9a-f]{64}$/)
    const dockerfile = await read('Dockerfile')
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:24\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/m)
    const bases = dockerfile.split('\n').filter((line) => line.startsWith('FROM '))
    for (const base of bases) expect(base).toMatch(/^FROM \$\{NODE_IMAGE\}/)
  })

  it('lets no process connect as the superuser of the database, whose roles are made with its volume', async () => {
    const { postgres, ...others } = await services()
    expect(postgres!.volumes).toContain('./ops/compose/roles.sh:/docker-entrypoint-initdb.d/roles.sh:ro')
    expect(postgres!.environment).not.toHaveProperty('POSTGRES_USER')
    const users = Object.values(others).flatMap(({ environment: { DATABASE_URL, SQL_USER, POSTGRES_USER } = {} }) => [
      /^postgres:\/\/(\w+):/.exec(DATABASE_URL ?? '')?.[1],
      SQL_USER,
      POSTGRES_USER,
    ])
    expect([...new Set(users.filter(Boolean))].sort()).toEqual(['pricetape', 'temporal'])
  })

  it('bounds the log of every service', async () => {
    const unbounded = Object.values(await services()).filter(
      ({ logging }) => JSON.stringify(logging) !== '{"driver":"local","options":{"max-size":"50m","max-file":"5"}}',
    )
    expect(unbounded).toEqual([])
  })

  it.skipIf(lacks('Docker Compose'))(
    'is accepted, and refused without its secrets (needs Docker Compose)',
    async () => {
      const [command, ...before] = composeCommand()!
      const folder = await mkdtemp(join(tmpdir(), 'pricetape-compose-'))
      const noSettings = join(folder, 'empty.env')
      await writeFile(noSettings, '')
      const args = [
        ...before,
        '--file',
        join(ROOT, 'docker-compose.yml'),
        '--env-file',
        noSettings,
        'config',
        '--quiet',
      ]
      const env = { PATH: process.env.PATH, HOME: process.env.HOME }
      const secrets = { PRICETAPE_SECRET_KEY: 'x', POSTGRES_PASSWORD: 'x' }
      await run(command!, args, { env: { ...env, ...secrets } })
      for (const missing of Object.keys(secrets)) {
        const given = { ...env, ...secrets, [missing]: '' }
        await expect(run(command!, args, { env: given })).rejects.toThrow(missing)
      }
      await rm(folder, { recursive: true })
    },
  )
})

describe('the workflow of a release', () => {
  type Step = { uses?: string; run?: string; with?: Record<string, unknown> }
  type Workflow = { on: object; permissions: object; jobs: Record<string, { permissions: object; steps: Step[] }> }
  const FILE = '.github/workflows/release.yml'
  const DIGEST = '$' + '{{ steps.build.outputs.digest }}'
  const workflow = async () => parse(await read(FILE)) as Workflow

  it('names every action by its commit, and gives each job only the rights it needs', async () => {
    const lines = (await read(FILE)).split('\n').filter((line) => /^ +(- )?uses:/.test(line))
    expect(lines.length).toBeGreaterThan(8)
    for (const line of lines) expect(line).toMatch(/uses: [\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    const { on, permissions, jobs } = await workflow()
    expect([on, permissions]).toEqual([{ push: { tags: ['v*'] } }, {}])
    for (const { permissions: rights } of Object.values(jobs))
      expect(rights).toMatchObject({ 'id-token': 'write', attestations: 'write' })
  })

  it('signs the digest that was built, and attests its provenance and its bill of materials', async () => {
    const { steps } = (await workflow()).jobs.image!
    const withOf = (action: string) => steps.find(({ uses }) => uses?.startsWith(`${action}@`))?.with
    expect(withOf('docker/build-push-action')).toMatchObject({ push: true, provenance: 'mode=max', sbom: true })
    expect(steps.find(({ run }) => run?.startsWith('cosign'))?.run).toBe(
      'cosign sign --yes --recursive "$IMAGE@$DIGEST"',
    )
    const built = { 'subject-digest': DIGEST, 'push-to-registry': true }
    expect(withOf('actions/attest-build-provenance')).toMatchObject(built)
    expect(withOf('actions/attest')).toMatchObject({ ...built, 'sbom-path': 'sbom.cdx.json' })
  })
})

describe('the Helm chart', () => {
  it('brings the alerts that are tested', async () => {
    expect(await read('ops/helm/pricetape/alerts.yml')).toBe(await read('ops/prometheus/alerts.yml'))
  })
})

describe('the systemd units', () => {
  it.skipIf(lacks('systemd'))('are accepted (needs systemd)', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pricetape-systemd-'))
    try {
      for (const name of await readdir(join(ROOT, 'ops/systemd'))) {
        const instance = join(folder, name.replace('@', '@api'))
        await copyFile(join(ROOT, 'ops/systemd', name), instance)
        // The program is not installed here.
        await writeFile(instance, (await readFile(instance, 'utf8')).replace('/usr/bin/node', process.execPath))
      }
      const units = (await readdir(folder)).map((name) => join(folder, name))
      const { stderr } = await run('systemd-analyze', ['verify', '--man=no', ...units])
      expect(stderr).toBe('')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('come up where the first migration fails: the roles want it and wait, and require nothing', async () => {
    const unit = (await read('ops/systemd/pricetape@.service')).split('\n')
    expect(unit.filter((line) => /^(Requires|Requisite|BindsTo|PartOf)=/.test(line))).toEqual([])
    expect(unit).toContain('Wants=network-online.target pricetape-migrate.service')
    for (const name of ['pricetape@.service', 'pricetape-migrate.service'])
      expect(await read(`ops/systemd/${name}`)).toMatch(/^After=.*\bpostgresql\.service/m)
  })

  it('run the roles that there are, without rights', async () => {
    for (const name of ['pricetape@.service', 'pricetape-migrate.service']) {
      const unit = await read(`ops/systemd/${name}`)
      expect(unit).toMatch(/^ExecStart=\/usr\/bin\/node \/opt\/pricetape\/dist\/src\/main\.js --role (%i|migrate)$/m)
      for (const line of ['NoNewPrivileges=yes', 'CapabilityBoundingSet=', 'ProtectSystem=strict', 'DynamicUser=yes'])
        expect(unit.split('\n')).toContain(line)
    }
  })
})
