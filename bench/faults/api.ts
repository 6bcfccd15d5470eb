/** One API process of the fault test. It is killed at any moment. */
import { readConfig } from '../../src/lib/config.ts'
import { createLog } from '../../src/lib/log.ts'
import { connect } from '../../src/lib/sql.ts'
import { buildServer } from '../../src/server.ts'

const [databaseUrl = '', port = ''] = process.argv.slice(2)
const server = await buildServer({ sql: connect(databaseUrl), config: readConfig({}), log: createLog('silent') })
process.on('disconnect', () => process.exit())
await server.listen({ host: '127.0.0.1', port: Number(port) })
