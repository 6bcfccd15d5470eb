/** One worker process of the fault test: what `npm start` runs, without the rest. It is killed at any moment. */
import { Client } from '@temporalio/client'
import { NativeConnection, Runtime } from '@temporalio/worker'
import { connect } from '../../src/lib/sql.ts'
import { buildWorkers } from '../../src/worker.ts'
import { testContext } from '../../test/support/deliveries.ts'

const [databaseUrl = '', address = '', codePath = ''] = process.argv.slice(2)
const quiet = () => {}
Runtime.install({ logger: { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet } })
const connection = await NativeConnection.connect({ address })
const sql = connect(databaseUrl)
const workers = await buildWorkers(testContext(sql, new Client({ connection })), connection, { bundle: { codePath } })
process.on('disconnect', () => process.exit())
process.send?.('ready')
await workers.run()
