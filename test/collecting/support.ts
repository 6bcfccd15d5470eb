import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type Collecting, createCollecting } from '../../src/collecting/collecting.ts'
import { readConfig } from '../../src/lib/config.ts'
import { createLog } from '../../src/lib/log.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import type { testDatabase } from '../support/database.ts'
import { isolation } from '../support/isolation.ts'

/** A web server with the sources of a test file, and what collects them. Call at the top of a file. */
export function collectingSystem(database: ReturnType<typeof testDatabase>, listener: RequestListener) {
  const folder = mkdtempSync(join(tmpdir(), 'pricetape-sources-'))
  const safeFetch = createSafeFetch({ allowPrivate: true })
  const server = createServer(listener)
  const system = {
    /** The server's URL without a path. */
    base: '',
    folder,
    isolation,
    /** The declared sources as a file. */
    file: join(folder, 'sources.json'),
    /** Declares exactly these sources. */
    declare(sources: object[], env: Record<string, string> = {}): Collecting {
      writeFileSync(system.file, JSON.stringify({ sources }))
      const config = readConfig({ PRICETAPE_SOURCES: system.file, ...env })
      const context = { sql: database.sql, config, log: createLog('silent'), isolation }
      return createCollecting(context, safeFetch.get, { spacingMs: 1 })
    },
  }
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    system.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    await safeFetch.close()
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
    rmSync(folder, { recursive: true })
  })
  return system
}
