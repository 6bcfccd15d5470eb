import { collectNamedSource } from '../../src/collecting/collect-named-sources.ts'
import { createCollecting } from '../../src/collecting/collecting.ts'
import { readConfig } from '../../src/lib/config.ts'
import { parseInstant } from '../../src/lib/instant.ts'
import { createIsolation } from '../../src/lib/isolation/isolation.ts'
import { createLog } from '../../src/lib/log.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { connect } from '../../src/lib/sql.ts'

/** A worker in a process of its own, which a test kills while it reads a source. */
const [databaseUrl = '', sourcesFile = '', source = '', at = ''] = process.argv.slice(2)
const collecting = createCollecting(
  {
    sql: connect(databaseUrl),
    config: readConfig({ PRICETAPE_SOURCES: sourcesFile, PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true' }),
    log: createLog('silent'),
    isolation: createIsolation(),
  },
  createSafeFetch({ allowPrivate: true }).get,
)
await collectNamedSource(collecting, source, parseInstant(at)!)
