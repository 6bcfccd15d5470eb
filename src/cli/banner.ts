import type { Running } from '../embedded/data-folder.ts'
import type { Holdings } from '../embedded/installation-store.ts'

export type Screen = Pick<Running, 'url' | 'temporalUi'> & {
  dataFolder?: string
  /** The full value of a key made on this start: shown once. */
  newKey?: string
  /** The visible end of the newest key there was. */
  keyEnd?: string
  holdings?: Holdings
  checkMinutes: number
  seconds: number
  role: string
}

/** The instant the first screen's example reads at: one at which the imported history differs from today's. */
const EXAMPLE_AS_OF = '2025-12-01T00:00:00Z'

/** What a person sees once everything runs: where it is, how to ask it something, and what it is doing. */
export function screenText(screen: Screen): string {
  const { url, temporalUi, holdings } = screen
  const rows: [string, string | undefined][] = [
    ['API', url && `${url}   (documentation: ${url}/docs)`],
    ['Temporal UI', temporalUi && `${temporalUi}   (every check and delivery as a workflow)`],
    ['Data', screen.dataFolder],
    [
      'Prices',
      holdings &&
        `${thousands(holdings.prices)} of ${holdings.providers} providers, recorded from ${holdings.from.slice(0, 10)} on`,
    ],
    ['Webhooks', holdings && `${holdings.webhooks}, with ${holdings.pending} pending deliveries`],
  ]
  const lines = rows.filter(([, value]) => value).map(([name, value]) => `  ${name.padEnd(13)}${value}`)
  return [
    '',
    `Pricetape is ready (${screen.seconds.toFixed(1)} s).`,
    '',
    ...lines,
    '',
    ...keyLines(screen),
    doing(screen),
    '',
  ].join('\n')
}

function keyLines({ url, newKey, keyEnd }: Screen): string[] {
  if (!url) return []
  const another = 'npm run pricetape -- key create --name NAME'
  if (!newKey)
    return [`  API key      the newest ends in ${keyEnd ?? 'nothing: there is none yet'}; another: ${another}`, '']
  const ask = `curl -s '${url}/v1/prices/history?providers=openai&limit=3`
  const header = `-H 'authorization: Bearer ${newKey}'`
  return [
    `  API key      ${newKey}`,
    `               shown this once; another: ${another}`,
    '',
    '  The same question at two instants:',
    '',
    `    ${ask}&asOf=${EXAMPLE_AS_OF}' ${header}`,
    `    ${ask}' ${header}`,
    '',
  ]
}

function doing({ role, checkMinutes }: Screen): string {
  if (role === 'api') return '  Answering requests. Ctrl-C stops it.'
  return `  Looking for changes every ${Number(checkMinutes.toFixed(2))} minutes; the next check is running now. Ctrl-C stops everything.`
}

const thousands = (n: number): string => n.toLocaleString('en-US')
