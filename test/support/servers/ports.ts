import { mkdir, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { portIsFree } from '../../../src/lib/ports.ts'

/** Below the ports that systems give to outgoing connections. */
const [LOWEST, HIGHEST] = [15_000, 32_000]
/** A folder for each port that a test of this machine owns, beside those of other suites that run. */
const OWNED = join(tmpdir(), 'pricetape-test-ports')
const OWNED_FOR_MS = 3_600_000

/**
 * Returns the first of neighbouring ports that stay free however late something listens there: no one else's test gets
 * them for an hour, and the system gives them to no connection.
 */
export async function ownPorts(count: number): Promise<number> {
  await mkdir(OWNED, { recursive: true })
  for (;;) {
    const first = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
    const ports = Array.from({ length: count }, (_, n) => first + n)
    const own = await Promise.all(ports.map(async (port) => (await take(port)) && (await portIsFree(port))))
    if (own.every(Boolean)) return first
  }
}

export const freePort = (): Promise<number> => ownPorts(1)

async function take(port: number): Promise<boolean> {
  const folder = join(OWNED, String(port))
  try {
    await mkdir(folder)
    return true
  } catch {
    if (Date.now() - (await stat(folder)).mtimeMs < OWNED_FOR_MS) return false
    const now = new Date()
    await utimes(folder, now, now)
    return true
  }
}
