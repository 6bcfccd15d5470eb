import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder } from '../../../src/embedded/process/cache-folder.ts'
import { type Child, startChild, untilReady } from '../../../src/embedded/process/child.ts'
import { withFileLock } from '../../../src/embedded/process/file-lock.ts'
import { findProgram, isExecutable, run } from '../../../src/embedded/process/run-program.ts'
import { freePort, portAnswers } from '../../../src/lib/ports.ts'
import { progressTo } from '../../../src/lib/process/progress.ts'
import { installed } from '../toolchains/install.ts'

const VERSION = '1.38.0'
const ARTIFACT = `io.temporal:temporal-test-server:${VERSION}`
const MAIN_CLASS = 'io.temporal.testserver.TestServer'
/** Ends only a server that hangs: on a loaded machine it starts many times as slowly as at rest. */
const START_TIMEOUT_MS = 240_000

/** The time-skipping Temporal server, run by java: one per test file, because time is one for a whole server. */
export async function startTestServer(): Promise<{ server: Child; port: number }> {
  const classPath = await testServerJars()
  const port = await freePort()
  const flags = ['-Xmx256m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto']
  const server = await startChild('java', [...flags, '-cp', classPath, MAIN_CLASS, String(port)], {
    stop: [['SIGKILL', 1_000]],
  })
  if (await untilReady(server, () => portAnswers(port), START_TIMEOUT_MS)) return { server, port }
  await server.stop()
  throw new Error(`the time-skipping server did not start: ${server.lines.slice(-5).join(' ')}`)
}

/** The server's jars, fetched once from Maven Central into our cache. Answers a class path. */
export async function testServerJars(): Promise<string> {
  const progress = progressTo(process.stderr)
  const cache = cacheFolder(process.env.PRICETAPE_CACHE_DIR)
  const folder = join(cache, `temporal-test-server-${VERSION}`)
  await mkdir(cache, { recursive: true })
  await withFileLock(
    `${folder}.lock`,
    'Another process is fetching the test server: waiting for it.',
    progress,
    async () => {
      if (!(await findProgram('java'))) await installed('java', ['default-jre-headless'])
      if (await isExecutable(join(folder, 'lib'))) return
      if (!(await findProgram('mvn'))) await installed('mvn', ['maven'])
      progress.say(`Fetching Temporal's time-skipping test server (${ARTIFACT}) with Maven, once.`)
      const fresh = `${folder}.new`
      await rm(fresh, { recursive: true, force: true })
      await mkdir(fresh, { recursive: true })
      await writeFile(join(fresh, 'pom.xml'), POM)
      const args = ['-q', '-B', '-f', join(fresh, 'pom.xml'), 'dependency:copy-dependencies', '-DoutputDirectory=lib']
      const { ok, output } = await run('mvn', args, { cwd: fresh, timeoutMs: 10 * 60_000 })
      if (!ok) throw new Error(`Maven could not fetch ${ARTIFACT}: ${output.slice(-500)}`)
      await rm(folder, { recursive: true, force: true })
      await rename(fresh, folder)
    },
  )
  return join(folder, 'lib', '*')
}

const [groupId, artifactId] = ARTIFACT.split(':')
const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>pricetape</groupId><artifactId>test-server</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${VERSION}</version>
  </dependency></dependencies>
</project>
`
