/** The product's workers in a process of their own, with settings from the command line. */
import { Client } from '@temporalio/client'
import { NativeConnection, Runtime } from '@temporalio/worker'
import { createLog } from '../../src/lib/log.ts'
import { connect } from '../../src/lib/sql.ts'
import { runtimeOptions } from '../../src/temporal/log.ts'
import { buildWorkers } from '../../src/worker.ts'
import { testContext } from '../../test/support/webhooks/deliveries.ts'

const { databaseUrl, address, env } = JSON.parse(process.argv[2]!)
Runtime.install(runtimeOptions(createLog('error')))
const sql = connect(databaseUrl)
const connection = await NativeConnection.connect({ address })
const workers = await buildWorkers(testContext(sql, new Client({ connection }), env), connection)
process.on('message', () => workers.shutdown())
process.on('disconnect', () => process.exit())
const running = workers.run()
process.send?.('runs')
await running
await connection.close()
await sql.end()
process.exit()
