import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { registerInstallationGauges } from '../../src/monitoring/metrics/installation-gauges.ts'
import { createMetrics } from '../../src/monitoring/metrics/metrics.ts'
import { createSupervisorMetrics } from '../../src/monitoring/metrics/supervisor-metrics.ts'
import { lacks } from '../support/suite/needs.ts'
import { promtool } from '../support/toolchains/promtool.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
const OPS = join(ROOT, 'ops')
const read = (path: string) => readFile(join(ROOT, path), 'utf8')

/** Names as they can be scraped: a histogram has three. */
function metricNames(): Set<string> {
  const { registry } = createMetrics('test')
  registerInstallationGauges(registry, undefined as never)
  const registries = [registry, createSupervisorMetrics(() => [])]
  const names = new Set<string>()
  for (const { name, type } of registries.flatMap((given) => given.getMetricsAsArray())) {
    const kind = type as unknown as string
    for (const suffix of kind === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']) names.add(`${name}${suffix}`)
  }
  return names
}

/** The usual metrics of a Node process, by the library that measures them. */
function processMetricNames(): Set<string> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return new Set(registry.getMetricsAsArray().map(({ name }) => name))
}

/** Of Temporal's SDK; test/journeys/examples.test.ts scrapes a worker. */
const OF_TEMPORAL = ['temporal_workflow_task_execution_failed_total']

const namesIn = (expression: string): string[] =>
  expression.replace(/\{[^}]*\}/g, '').match(/\b(?:pricetape|nodejs|process|temporal)_\w+/g) ?? []

function unknownNames(expressions: string[]): string[] {
  const known = new Set([...metricNames(), ...processMetricNames(), ...OF_TEMPORAL])
  return expressions.flatMap(namesIn).filter((name) => !known.has(name))
}

describe('the alert rules', () => {
  it('use metrics that exist', async () => {
    const rules = await read('ops/prometheus/alerts.yml')
    const expressions = [...rules.matchAll(/ {8}expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/g)].map(
      ([, long, short]) => long ?? short!,
    )
    expect(expressions).toHaveLength(rules.match(/- (?:alert|record): /g)!.length)
    expect(expressions.flatMap(namesIn).length).toBeGreaterThan(0)
    expect(unknownNames(expressions)).toEqual([])
  })

  it('use what they record, and so does the dashboard', async () => {
    const [rules, dashboard] = await Promise.all(['ops/prometheus/alerts.yml', 'ops/grafana/pricetape.json'].map(read))
    const recorded = new Set([...rules!.matchAll(/- record: (\S+)/g)].map(([, name]) => name))
    const used = new Set(`${rules!.replace(/- record: \S+/g, '')} ${dashboard}`.match(/\bpricetape:\w+(?::\w+)?/g))
    expect(used).toEqual(recorded)
  })

  it('link each to a paragraph of docs/alerts.md that says what to do, and each is tested', async () => {
    const [rules, docs, tests] = await Promise.all(
      ['ops/prometheus/alerts.yml', 'docs/alerts.md', 'ops/prometheus/alerts.test.yml'].map(read),
    )
    const alerts = [...rules!.matchAll(/- alert: Pricetape(\w+)/g)].map(([, name]) => name!)
    const links = [...rules!.matchAll(/runbook_url: docs\/alerts\.md#(\S+)/g)].map(([, anchor]) => anchor)
    expect(links).toEqual(alerts.map((name) => `alert-${name.toLowerCase()}`))
    const headings = [...docs!.matchAll(/^### Alert (\w+)\n\n\S/gm)].map(([, name]) => name)
    expect(headings).toEqual(alerts)
    for (const name of alerts) expect(tests).toMatch(new RegExp(`alertname: Pricetape${name}\\n +exp_alerts:\\n`))
    expect(alerts).toContain('DeadMansSwitch')
  })

  it.skipIf(lacks('promtool'))(
    'are accepted, fire when they should, and are quiet while all is well (needs promtool)',
    async () => {
      const checked = await run(promtool(), ['check', 'config', join(OPS, 'prometheus/prometheus.yml')])
      expect(checked.stdout).toMatch(/SUCCESS: \d+ rules found/)
      expect((await run(promtool(), ['test', 'rules', join(OPS, 'prometheus/alerts.test.yml')])).stdout).toContain(
        'SUCCESS',
      )
    },
  )
})

describe('the dashboard', () => {
  it('links to the app and to the Temporal UI, whose addresses are variables', async () => {
    const { links, templating } = JSON.parse(await read('ops/grafana/pricetape.json')) as {
      links: { url: string }[]
      templating: { list: { name: string }[] }
    }
    const used = links.map(({ url }) => [...url.matchAll(/\$\{(\w+)\}/g)].map(([, variable]) => variable))
    expect(used).toEqual([['app'], ['temporal', 'namespace']])
    expect(templating.list.map(({ name }) => name)).toEqual(expect.arrayContaining(used.flat()))
  })

  it('shows metrics that exist, and every metric of ours is on it', async () => {
    const { panels } = JSON.parse(await read('ops/grafana/pricetape.json')) as {
      panels: { title: string; targets: { expr: string }[] }[]
    }
    const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    expect(unknownNames(expressions)).toEqual([])
    const shown = expressions.join(' ')
    const ours = [...metricNames()].map((name) => name.replace(/_(bucket|sum|count)$/, ''))
    expect(ours.filter((name) => !shown.includes(name))).toEqual([])
  })
})
