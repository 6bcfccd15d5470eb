import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { namespaceOptions } from '../servers/network-namespace.ts'
import { promtool } from '../toolchains/promtool.ts'
import { recording } from './recordings.ts'
import { SPECIFICATION } from './sentences.ts'

const runs = (program: string, ...args: string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const recorded = (name: 'genai-prices' | 'terms') => existsSync(join(recording(name), 'manifest.json'))

/** What some tests need and not every machine has. A test names it in its title: `(needs Python 3.9)`. */
const NEEDS = {
  Linux: () => process.platform === 'linux',
  root: () => process.getuid?.() === 0,
  'Node.js': () => true,
  'Python 3.9': () => runs('python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 9))'),
  "Python's cryptography": () => runs('python3', '-s', '-c', 'import cryptography'),
  'DuckDB and pandas': () => runs('python3', '-c', 'import duckdb, pandas, pyarrow'),
  Go: () => runs('go', 'version'),
  Java: () => runs('java', '-version'),
  'Java and Maven': () => runs('java', '-version') && runs('mvn', '-version'),
  systemd: () => runs('systemd-analyze', '--version'),
  'Docker Compose': () => composeCommand() !== undefined,
  psql: () => runs('psql', '--version'),
  promtool: () => runs(promtool(), '--version'),
  'network namespaces': () => namespaceOptions() !== undefined,
  'the right to mount a disk': mayMount,
  'the recorded prices': () => recorded('genai-prices'),
  'the recorded documents': () => recorded('terms'),
  'the specification': () => existsSync(SPECIFICATION),
} satisfies Record<string, () => boolean>

export type Need = keyof typeof NEEDS

const found = new Map<Need, boolean>()

/** Whether this machine lacks it: for `skipIf`. */
export function lacks(need: Need): boolean {
  if (!found.has(need)) found.set(need, NEEDS[need]())
  return !found.get(need)
}

/** How Docker Compose is called here; undefined where it is not. */
export const composeCommand = (): string[] | undefined =>
  [['docker', 'compose'], ['docker-compose']].find(([program, ...args]) => runs(program!, ...args, 'version'))

/** Whether something is known as a need. */
export const isNeed = (text: string): text is Need => Object.hasOwn(NEEDS, text)

/** Whether this machine lets us make a disk of a few kilobytes. */
function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'pricetape-mount-'))
  try {
    return runs('mount', '-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', folder) && runs('umount', folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
