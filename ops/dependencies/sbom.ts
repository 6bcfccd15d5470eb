/**
 * `npm run --silent sbom`: the bill of materials (CycloneDX, JSON) of a release: what runs in production, and what the
 * built app is made of. Prints what is wrong and ends with status 1 where a package, a licence or a hash is missing.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT, run, say } from '../run.ts'
import { type InstalledPackage, inTheApp, lacksHash, licenceOf, production } from './packages.ts'

type Licence = { license: { id?: string; name?: string } } | { expression: string }
type Component = {
  'bom-ref': string
  name: string
  version: string
  scope: string
  licenses?: Licence[]
  properties?: { name: string; value: string }[]
}
type Bom = {
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}
const DEVELOPMENT = 'cdx:npm:package:development'

// npm's own --omit=dev leaves out what both kinds of packages need (npm 11), so the choice is made here.
const all = await run('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'])
const bom = JSON.parse(all) as Bom
const { name, version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
const shipped = new Map<string, InstalledPackage>(
  [...production, ...(await inTheApp())].map((one) => [`${one.name}@${one.locked.version}`, one]),
)

const root = bom.metadata.component
root.name = name // npm takes the folder's
bom.components = bom.components.filter((component) => shipped.has(component['bom-ref'])).map(completed)
const refs = new Set([root, ...bom.components].map((component) => component['bom-ref']))
bom.dependencies = bom.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn?.filter((other) => refs.has(other)) ?? [] }))

const problems = problemsOf()
for (const problem of problems) process.stderr.write(`problem  ${problem}\n`)
if (problems.length > 0) process.exitCode = 1
else say(JSON.stringify(bom, undefined, 2))

function completed(component: Component): Component {
  const one = shipped.get(component['bom-ref'])!
  const licence = licenceOf(one)
  const properties = component.properties?.filter((property) => property.name !== DEVELOPMENT)
  const scope = one.locked.optional || one.locked.devOptional ? 'optional' : 'required'
  const own = { ...component, name: one.name, scope, properties }
  if (own.licenses || !licence) return own
  if (licence.includes(' AND ')) return { ...own, licenses: [{ expression: licence }] }
  return { ...own, licenses: [{ license: licence.includes(' ') ? { name: licence } : { id: licence } }] }
}

function problemsOf(): string[] {
  const found: string[] = []
  if (root.version !== version) found.push(`The version is ${root.version}, and ${version} in package.json.`)
  for (const [ref, one] of shipped) {
    if (!refs.has(ref)) found.push(`${ref} is missing.`)
    if (lacksHash(one)) found.push(`${ref} has no hash in package-lock.json.`)
  }
  for (const { 'bom-ref': ref, licenses } of bom.components) if (!licenses?.length) found.push(`${ref} has no licence.`)
  return found
}
