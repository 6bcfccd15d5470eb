import type { Installation } from '../embedded/supervise.ts'
import type { Health } from '../monitoring/schema.ts'
import { healthLines } from './health.ts'

export type Banner = Pick<Installation, 'url' | 'temporalUi' | 'folder' | 'bootstrapped'> & {
  checkMinutes: number
  seconds: number
  /** Shown when something does not work. */
  health?: Health
}

/** The instant the first screen's example reads at: one at which the imported history differs from today's. */
const EXAMPLE_AS_OF = '2025-12-01T00:00:00Z'

/** What a person sees once everything runs: where it is, how to send it a request, and what it is doing. */
export function bannerText({ url, temporalUi, folder, bootstrapped, checkMinutes, seconds, health }: Banner): string {
  const { providers, prices, from, webhooks, pending } = bootstrapped
  const since = from === undefined ? '' : `, recorded from ${from.slice(0, 10)} on`
  const rows: [string, string | undefined][] = [
    ['API', `${url}   (documentation: ${url}/docs)`],
    ['Temporal UI', temporalUi && `${temporalUi}   (every check and delivery as a workflow)`],
    ['Data', folder.root],
    ['Prices', prices > 0 ? `${thousands(prices)} of ${providers} providers${since}` : undefined],
    ['Webhooks', `${webhooks}, with ${pending} pending deliveries`],
  ]
  const lines = rows.filter(([, value]) => value).map(([name, value]) => `  ${name.padEnd(13)}${value}`)
  const every = Number(checkMinutes.toFixed(2))
  return [
    '',
    `Pricetape is ready (${seconds.toFixed(1)} s).`,
    ...(health ? healthLines(health).map((line) => `  ${line}`) : []),
    '',
    ...lines,
    '',
    ...keyLines(url, bootstrapped),
    `  Looking for changes every ${every} minutes; the next check is running now. Ctrl-C stops everything.`,
    '  API, worker, PostgreSQL and Temporal are started again when one of them ends; the log says so.',
    '',
  ].join('\n')
}

function keyLines(url: string, { newKey, keyEnd }: Banner['bootstrapped']): string[] {
  const another = 'npx pricetape key create --name NAME'
  if (!newKey)
    return [`  API key      the newest ends in ${keyEnd ?? 'nothing: there is none yet'}; another: ${another}`, '']
  const request = `curl -s '${url}/v1/prices/history?providers=openai&limit=3`
  const header = `-H 'authorization: Bearer ${newKey}'`
  return [
    `  API key      ${newKey}`,
    `               shown this once; another: ${another}`,
    '',
    '  The same question at two instants:',
    '',
    `    ${request}&asOf=${EXAMPLE_AS_OF}' ${header}`,
    `    ${request}' ${header}`,
    '',
  ]
}

const thousands = (n: number): string => n.toLocaleString('en-US')
