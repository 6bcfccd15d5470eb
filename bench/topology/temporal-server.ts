import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Connection } from '@temporalio/client'
import { run } from '../../ops/run.ts'
import { LOOPBACK, portIsFree } from '../../src/lib/ports.ts'
import { Service } from './service.ts'

const NAMESPACE = 'default'
const RETENTION_SECONDS = 86_400
const STORES = { temporal: 'temporal', temporal_visibility: 'visibility' }
const LOWEST_PORT = 20_000
const HIGHEST_PORT = 32_767
const SERVICES = ['frontend', 'matching', 'history', 'worker'] as const

type Options = { folder: string; server: string; schemaTool: string; schemas: string; database: URL }

/** A Temporal server, all its services in one process, that keeps its state in PostgreSQL. */
export async function temporalOnPostgres(options: Options): Promise<{ service: Service; address: string }> {
  await makeSchemas(options)
  const { folder, server, database } = options
  const ports = await lowPorts(SERVICES.length * 2)
  const address = `${LOOPBACK}:${ports[0]}`
  await mkdir(join(folder, 'config'), { recursive: true })
  await writeFile(join(folder, 'config/development.yaml'), JSON.stringify(configuration(database, ports, folder)))
  await writeFile(join(folder, 'dynamic.yaml'), '{}\n')
  const command = { program: server, args: ['--root', folder, '--config', 'config', '--env', 'development', 'start'] }
  const service = new Service('temporal', command, () => hasNamespace(address))
  return { service, address }
}

/** The server keeps its ports in columns of two bytes with a sign, so those of the system's choice are too high. */
async function lowPorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = LOWEST_PORT + Math.floor(Math.random() * (HIGHEST_PORT - LOWEST_PORT))
    if (await portIsFree(port)) ports.add(port)
  }
  return [...ports]
}

async function makeSchemas({ schemaTool, schemas, database }: Options): Promise<void> {
  const { hostname, port, username, password } = database
  const access = ['--plugin', 'postgres12', '--ep', hostname, '-p', port, '-u', username, '--pw', password]
  for (const [name, folder] of Object.entries(STORES)) {
    const tool = (...args: string[]) => run(schemaTool, [...access, '--db', name, ...args])
    await tool('create')
    await tool('setup-schema', '-v', '0.0')
    await tool('update-schema', '-d', join(schemas, folder, 'versioned'))
  }
}

/** JSON is YAML. */
function configuration({ host, username, password }: URL, ports: number[], folder: string) {
  const store = (databaseName: string, maxConns: number) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: host,
      connectProtocol: 'tcp',
      user: username,
      password,
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  })
  const rpc = (at: number) => ({
    rpc: { grpcPort: ports[at * 2], membershipPort: ports[at * 2 + 1], bindOnLocalHost: true },
  })
  return {
    log: { stdout: true, level: 'error' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: 4,
      datastores: { default: store('temporal', 20), visibility: store('temporal_visibility', 5) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: LOOPBACK } },
    services: Object.fromEntries(SERVICES.map((name, at) => [name, rpc(at)])),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `${LOOPBACK}:${ports[0]}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: join(folder, 'dynamic.yaml'), pollInterval: '60s' },
  }
}

/** Whether the server answers for the namespace, which is registered where it is not there yet. */
async function hasNamespace(address: string): Promise<boolean> {
  const connection = await Connection.connect({ address, connectTimeout: 2_000 })
  const { workflowService } = connection
  try {
    await connection.withDeadline(Date.now() + 5_000, async () => {
      const workflowExecutionRetentionPeriod = { seconds: RETENTION_SECONDS as never }
      await workflowService
        .registerNamespace({ namespace: NAMESPACE, workflowExecutionRetentionPeriod })
        .catch(() => undefined) // it is there from the second start on
      await workflowService.listWorkflowExecutions({ namespace: NAMESPACE, pageSize: 1 })
    })
    return true
  } finally {
    await connection.close()
  }
}
