import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporalBinary } from '../../../src/embedded/temporal/find-binary.ts'
import { readConfig } from '../../../src/lib/config.ts'
import { silent } from '../../../src/lib/process/progress.ts'
import {
  launch,
  NO_SOURCES,
  newcomer,
  pricetape,
  processesOn,
  type StartedInstallation,
  startUntilReady,
  untilGone,
} from '../../support/installation.ts'
import { freePort } from '../../support/servers/ports.ts'

describe('npm start, where something is wrong', () => {
  let here: Awaited<ReturnType<typeof newcomer>>
  beforeAll(async () => {
    here = await newcomer()
    here.env.PRICETAPE_SOURCES = NO_SOURCES
  })
  afterAll(async () => {
    expect(await untilGone(here.folder)).toEqual([])
    await here.remove()
  })

  /** Starts, expects it to end by itself with one sentence and without leaving anything running. */
  async function failing(env: Record<string, string | undefined>, ...args: string[]): Promise<string> {
    const settings = { ...here.env, ...env }
    const started = await launch('src/main.js', args, settings)
    expect(await started.exited, started.said()).toBe(1)
    expect(started.said()).not.toMatch(/unexpected fault|\n\s+at /)
    expect(await processesOn(settings.PRICETAPE_DATA_DIR!)).toEqual([])
    return started.said()
  }

  it('names every setting that is wrong, all at once', async () => {
    const said = await failing({ PORT: 'eighty', PRICETAPE_SECRET_KEY: 'short' })
    expect(said).toContain('PORT:')
    expect(said).toContain('PRICETAPE_SECRET_KEY: must be 32 random bytes')
  })

  it('says which roles there are, and what a role needs', async () => {
    expect(await failing({}, '--role', 'everything')).toContain('all|api|worker|migrate')
    expect(await failing({}, '--role', 'worker')).toContain('set DATABASE_URL, TEMPORAL_ADDRESS, PRICETAPE_SECRET_KEY')
  })

  it('says that a port is taken, and how to choose another', async () => {
    const stranger = createServer()
    const port = await freePort()
    await new Promise<void>((done) => stranger.listen(port, '127.0.0.1', done))
    expect(await failing({ PORT: String(port) })).toMatch(`Port ${port} is taken. Stop what uses it, or set PORT`)
    const said = await failing({ PRICETAPE_TEMPORAL_UI_PORT: String(port) })
    expect(said).toMatch(`Port ${port}, for the Temporal UI, is taken`)
    stranger.close()
  })

  it('says that the Temporal program named does not work', async () => {
    const broken = join(here.folder, 'broken-temporal')
    await writeFile(broken, '#!/bin/sh\necho "no such instruction" >&2\nexit 3\n')
    await chmod(broken, 0o755)
    const said = await failing({ PRICETAPE_TEMPORAL_BINARY: broken })
    expect(said).toMatch(
      /PRICETAPE_TEMPORAL_BINARY names .*broken-temporal, which is not a working Temporal CLI \(no such instruction\)/,
    )
    expect(await failing({ PRICETAPE_TEMPORAL_BINARY: join(here.folder, 'nowhere') })).toContain(
      'not a working Temporal CLI',
    )
  })

  it('says that the database or Temporal of others does not answer, without telling a password', async () => {
    const port = await freePort()
    const [away, said] = await Promise.all([
      failing({
        DATABASE_URL: `postgres://me:hidden@127.0.0.1:${port}/prices`,
        PRICETAPE_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
      }),
      failing({ TEMPORAL_ADDRESS: `127.0.0.1:${port}`, PRICETAPE_DATA_DIR: join(here.folder, 'without-temporal') }),
    ])
    expect(away).toContain(`The database at 127.0.0.1:${port}/prices does not let us in`)
    expect(away).not.toContain('hidden')
    expect(said).toContain(`Temporal at 127.0.0.1:${port} does not answer`)
  })

  it('says that the data folder cannot be made', async () => {
    const file = join(here.folder, 'file')
    await writeFile(file, '')
    expect(await failing({ PRICETAPE_DATA_DIR: join(file, 'data') })).toMatch(
      /data folder .* cannot be made .* PRICETAPE_DATA_DIR/,
    )
  })

  it('says that its secrets are damaged, and leaves them as they are', async () => {
    const data = join(here.folder, 'secrets')
    await mkdir(data)
    await writeFile(join(data, 'secrets.json'), '{"postgresPassword":')
    const said = await failing({ PRICETAPE_DATA_DIR: data })
    expect(said).toMatch(/secrets\.json is damaged\. Restore it from your backup/)
    expect(await readFile(join(data, 'secrets.json'), 'utf8')).toBe('{"postgresPassword":')
  })

  it('says that its database folder is damaged, and leaves it as it is', async () => {
    const postgres = join(here.folder, 'database', 'postgres')
    await mkdir(postgres, { recursive: true })
    await chmod(join(here.folder, 'database'), 0o711)
    await writeFile(join(postgres, 'kept'), 'mine')
    const said = await failing({ PRICETAPE_DATA_DIR: join(here.folder, 'database') })
    expect(said).toMatch(/is not a whole PostgreSQL 18 database .* Restore it from a backup, or move it away/)
    expect(await readFile(join(postgres, 'kept'), 'utf8')).toBe('mine')
  })

  it('says that Temporal’s store is damaged, and that the database can make up for it', async () => {
    const data = join(here.folder, 'store')
    await mkdir(data)
    await writeFile(join(data, 'temporal.db'), randomBytes(8192))
    const said = await failing({ PRICETAPE_DATA_DIR: data })
    expect(said).toMatch(/Temporal does not start: .* move it away: pending deliveries are started again/s)
  })

  it('starts again by itself where another program takes the port of Temporal before Temporal does', async () => {
    const data = join(here.folder, 'taken')
    const stranger = join(here.folder, 'stranger')
    const temporal = await temporalBinary(readConfig(here.env).temporal, silent)
    // The first server finds its port taken by a program that listened a moment before.
    await writeFile(
      `${stranger}.mjs`,
      `import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
createServer().listen(Number(process.argv[2]), '127.0.0.1', () => writeFileSync('${stranger}.pid', String(process.pid)))
`,
    )
    const script = `#!/bin/sh
case "$*" in *--port*)
  if [ ! -e ${stranger}.port ]; then
    echo "$6" > ${stranger}.port
    ${process.execPath} ${stranger}.mjs "$6" > /dev/null 2>&1 &
    while [ ! -e ${stranger}.pid ]; do sleep 0.1; done
  fi
esac
exec ${temporal} "$@"
`
    await writeFile(`${stranger}.sh`, script)
    await chmod(`${stranger}.sh`, 0o755)
    const env = { ...here.env, PRICETAPE_TEMPORAL_BINARY: `${stranger}.sh`, PRICETAPE_DATA_DIR: data }
    let started: StartedInstallation | undefined
    try {
      started = await startUntilReady(env)
      expect(started.said()).toContain('Another program took a port of Temporal’s at the same moment: starting again')
      const taken = Number(await readFile(`${stranger}.port`, 'utf8'))
      const { temporalPort } = JSON.parse(await readFile(join(data, 'places.json'), 'utf8'))
      expect(temporalPort).toBeGreaterThan(0)
      expect(temporalPort).not.toBe(taken)
      expect(await pricetape(env, 'check')).toMatchObject({ code: 0 })
    } finally {
      process.kill(Number(await readFile(`${stranger}.pid`, 'utf8')))
      await started?.stop()
    }
    expect(await untilGone(data)).toEqual([])
  }, 180_000)

  it('ends with npm, when someone ends that', async () => {
    const data = join(here.folder, 'npm')
    const npm = spawn('npm', ['start'], { env: { ...here.env, PRICETAPE_DATA_DIR: data }, stdio: 'ignore' })
    const ended = new Promise((resolve) => npm.once('close', resolve))
    await expect.poll(() => existsSync(data), { timeout: 60_000 }).toBe(true)
    npm.kill('SIGTERM')
    await ended
    expect(await untilGone(data)).toEqual([])
  })

  it('tells an operator’s command that nothing runs', async () => {
    const { code, said } = await pricetape(here.env, 'check')
    expect(code).toBe(1)
    expect(said).toMatch(/Pricetape does not run on .*data\. Start it with npm start/)
  })
})
