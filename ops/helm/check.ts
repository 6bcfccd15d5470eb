/**
 * `npm run helm:check`: the chart renders with each example of values, every object meets the schema of its Kubernetes
 * version, and wrong values are refused. helm and kubeconform are installed with Go where they are not on PATH; the schemas
 * come with the Python package kubernetes-validate.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { READERS } from '../../src/lib/config.ts'
import { CACHE, goProgram, ROOT, run, say } from '../run.ts'

const HELM = 'helm.sh/helm/v3/cmd/helm@v3.19.0'
const KUBECONFORM = 'github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0'
const SCHEMAS = '1.37.0'
/** The oldest version the chart allows, and the newest there are schemas for. */
const KUBERNETES = ['1.29.0', '1.37.0']
const KINDS = [
  'configmap-v1',
  'deployment-apps-v1',
  'horizontalpodautoscaler-autoscaling-v2',
  'ingress-networking-v1',
  'job-batch-v1',
  'networkpolicy-networking-v1',
  'poddisruptionbudget-policy-v1',
  'service-v1',
]
const CHART = join(ROOT, 'ops/helm/pricetape')
const VALUES = join(ROOT, 'ops/helm/values')

type RenderedObject = {
  kind: string
  metadata: { name: string; labels?: Record<string, string> }
  data?: Record<string, string>
  spec?: { groups?: object; replicas?: number; scaleTargetRef?: { name: string } }
}

const helm = await goProgram('helm', HELM)
const kubeconform = await goProgram('kubeconform', KUBECONFORM)
const schemas = await schemaFolder()
for (const name of await readdir(VALUES)) {
  const values = ['--values', join(VALUES, name)]
  await run(helm, ['lint', '--strict', CHART, ...values])
  for (const version of KUBERNETES) {
    const text = await run(helm, ['template', 'check', CHART, '--kube-version', version, ...values])
    await conforms(text, version)
    const objects = parseAllDocuments(text).map((document) => document.toJS() as RenderedObject)
    settingsAreKnown(objects)
    await grows(objects, name === 'full.yaml')
    say(`ok  ${name} on Kubernetes ${version}`)
  }
}
await refused('existingSecret', '--set', 'temporal.address=temporal:7233')
await refused('temporal', '--set', 'existingSecret=pricetape')
await refused('replica', '--values', join(VALUES, 'minimal.yaml'), '--set', 'api.replica=2')
say('ok  wrong values are refused')

async function conforms(text: string, version: string): Promise<void> {
  const file = join(CACHE, 'rendered.yaml')
  await writeFile(file, text)
  const location = join(schemas, version, '{{ .ResourceKind }}{{ .KindSuffix }}.json')
  // The Prometheus operator defines these, not Kubernetes.
  await run(kubeconform, [
    '-strict',
    '-summary',
    '-skip',
    'PodMonitor,PrometheusRule',
    '-schema-location',
    location,
    file,
  ])
  await rm(file)
}

/** A setting that nothing reads would be a mistake of the chart. */
function settingsAreKnown(objects: RenderedObject[]): void {
  const names = objects.filter(({ kind }) => kind === 'ConfigMap').flatMap(({ data = {} }) => Object.keys(data))
  const unknown = names.filter((name) => !(name in READERS))
  if (names.length === 0 || unknown.length > 0) throw new Error(`Settings that nothing reads: ${unknown.join(', ')}`)
}

/** An autoscaler decides about replicas alone; the alerts are those that are tested; and Prometheus finds what it should. */
async function grows(objects: RenderedObject[], full: boolean): Promise<void> {
  const scaled = objects.flatMap(({ kind, spec }) =>
    kind === 'HorizontalPodAutoscaler' ? spec!.scaleTargetRef!.name : [],
  )
  const deployments = objects.filter(({ kind }) => kind === 'Deployment')
  const fixed = deployments.filter(({ spec }) => spec!.replicas !== undefined).map(({ metadata }) => metadata.name)
  if (
    scaled.length !== (full ? 2 : 0) ||
    scaled.length + fixed.length !== 2 ||
    scaled.some((one) => fixed.includes(one))
  )
    throw new Error(`Autoscalers of ${scaled.join(', ')}; a number of replicas for ${fixed.join(', ')}`)
  const { groups } = parse(await readFile(join(ROOT, 'ops/prometheus/alerts.yml'), 'utf8')) as { groups: object }
  const rules = objects
    .filter(({ kind }) => kind === 'PrometheusRule')
    .map(({ spec }) => JSON.stringify(spec!.groups, sorted))
  if (rules.length !== (full ? 1 : 0) || rules.some((rule) => rule !== JSON.stringify(groups, sorted)))
    throw new Error('The PrometheusRule does not hold the rules of ops/prometheus/alerts.yml')
  const selected = objects.filter(({ kind }) => kind === 'PodMonitor' || kind === 'PrometheusRule')
  const unseen = selected.filter(({ metadata }) => metadata.labels?.release !== 'prometheus').map(({ kind }) => kind)
  if (selected.length !== (full ? 2 : 0) || unseen.length > 0)
    throw new Error(`${selected.length} objects for Prometheus, without the label of the example: ${unseen.join(', ')}`)
}

/** Helm sorts the names of a map. */
function sorted(_: string, value: unknown): unknown {
  if (!value || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Checks that wrong values end with a message that names what is wrong. */
async function refused(named: string, ...args: string[]): Promise<void> {
  const message = await run(helm, ['template', 'check', CHART, '--kube-version', KUBERNETES[0]!, ...args]).then(
    () => '',
    (error: Error) => error.message,
  )
  if (!message.includes(named)) throw new Error(`${args.join(' ')} should be refused, naming ${named}. ${message}`)
}

/** The schemas of each version, in a folder of its name. */
async function schemaFolder(): Promise<string> {
  const target = join(CACHE, `kubernetes-schemas-${SCHEMAS}`)
  if (existsSync(target)) return target
  say('Downloading the schemas of Kubernetes')
  const fresh = `${target}.new`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { recursive: true })
  await run('python3', ['-m', 'pip', 'download', '-q', '--no-deps', '-d', fresh, `kubernetes-validate==${SCHEMAS}`])
  const [wheel] = (await readdir(fresh)).filter((name) => name.endsWith('.whl'))
  await run('python3', ['-m', 'zipfile', '--extract', join(fresh, wheel!), fresh])
  for (const version of KUBERNETES) {
    const from = join(fresh, `kubernetes_validate/kubernetes-json-schema/v${version}-local-strict`)
    const { $defs } = JSON.parse(await readFile(join(from, '_definitions.json'), 'utf8'))
    await mkdir(join(fresh, version))
    for (const name of KINDS.map((kind) => `${kind}.json`)) {
      // They refer to definitions by a path that only that package has: each gets them all.
      const schema = JSON.stringify({ ...JSON.parse(await readFile(join(from, name), 'utf8')), $defs })
      await writeFile(join(fresh, version, name), schema.replaceAll('"/api/_definitions.json#', '"#'))
    }
  }
  await rm(join(fresh, 'kubernetes_validate'), { recursive: true })
  await rename(fresh, target)
  return target
}
