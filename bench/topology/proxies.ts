import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LOOPBACK, portAnswers } from '../../src/lib/ports.ts'
import { Service } from './service.ts'

/**
 * A load balancer in front of API nodes. It takes a node out within a second, and repeats a read that a node broke off.
 */
export async function loadBalancer(haproxy: string, folder: string, port: number, nodes: number[]): Promise<Service> {
  const file = join(folder, 'haproxy.cfg')
  const servers = nodes.map((node, at) => `  server api${at + 1} ${LOOPBACK}:${node} check inter 500 fall 1 rise 1`)
  const lines = [
    'global',
    '  maxconn 500',
    'defaults',
    '  mode http',
    '  timeout connect 2s',
    '  timeout client 35s',
    '  timeout server 35s',
    '  option redispatch 1',
    '  retries 3',
    '  retry-on conn-failure empty-response 503',
    'listen api',
    `  bind ${LOOPBACK}:${port}`,
    '  balance roundrobin',
    '  option httpchk GET /readyz/reads',
    ...servers,
  ]
  await writeFile(file, `${lines.join('\n')}\n`)
  return new Service('haproxy', { program: haproxy, args: ['-db', '-f', file] }, () => portAnswers(port))
}

type Pooler = { folder: string; mode: 'session' | 'transaction'; port: number; database: URL; uid?: number }

/** PgBouncer. Started by root it needs another user, as which PostgreSQL runs already. */
export async function connectionPooler(
  pgbouncer: string,
  { folder, mode, port, database, uid }: Pooler,
): Promise<{ service: Service; url: string }> {
  const users = join(folder, 'pgbouncer-users.txt')
  const file = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `pricetape = host=${database.hostname} port=${database.port} dbname=${database.pathname.slice(1)}`,
    '[pgbouncer]',
    `listen_addr = ${LOOPBACK}`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = plain',
    `auth_file = ${users}`,
    `pool_mode = ${mode}`,
    'default_pool_size = 40',
    'max_client_conn = 200',
    'ignore_startup_parameters = statement_timeout,lock_timeout,extra_float_digits',
  ]
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o644 })
  await writeFile(users, `"${database.username}" "${database.password}"\n`, { mode: 0o644 })
  const service = new Service('pgbouncer', { program: pgbouncer, args: [file], uid }, () => portAnswers(port))
  const url = `postgres://${database.username}:${database.password}@${LOOPBACK}:${port}/pricetape`
  return { service, url }
}
