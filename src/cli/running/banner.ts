import { linkTo } from '../../accounts/users/links/link-rules.ts'
import type { Installation } from '../../embedded/supervise.ts'
import type { Health } from '../../monitoring/schema.ts'
import { exampleLines } from './banner-example.ts'
import { healthLines } from './health.ts'

export type Banner = Pick<Installation, 'url' | 'temporalUi' | 'folder' | 'bootstrapped'> & {
  checkMinutes: number
  seconds: number
  /** Shown when something does not work. */
  health?: Health
}

/** `every 5 minutes`, `every 15 seconds`. */
const everyText = (minutes: number): string =>
  minutes < 1 ? `every ${Math.round(minutes * 60)} seconds` : `every ${Number(minutes.toFixed(2))} minutes`

const ANOTHER_KEY = 'npx pricetape key create --name NAME'

/** What a person sees once everything runs: where it is, how to send it a request, and what it is doing. */
export function bannerText({ url, temporalUi, folder, bootstrapped, checkMinutes, seconds, health }: Banner): string {
  const { providers, prices, from, webhooks, pending, newKey, keyEnd, firstAccountToken: token } = bootstrapped
  const since = from === undefined ? '' : `, recorded from ${from.slice(0, 10)} on`
  const rows: [string, string | undefined][] = [
    ['API', `${url}   (documentation: /docs)`],
    ['Temporal UI', temporalUi && `${temporalUi}   (checks and deliveries)`],
    ['Data', folder.root],
    ['Prices', prices > 0 ? `${thousands(prices)} of ${providers} providers${since}` : undefined],
    ['Webhooks', `${webhooks}, with ${pending} pending deliveries`],
    ['API key', newKey ?? `the newest ends in ${keyEnd ?? 'nothing: there is none yet'}`],
    ['', `${newKey ? 'shown this once; ' : ''}another: ${ANOTHER_KEY}`],
  ]
  const lines = rows.filter(([, value]) => value).map(([name, value]) => `  ${name.padEnd(13)}${value}`)
  return [
    '',
    `Pricetape is ready (${seconds.toFixed(1)} s).`,
    ...(health ? healthLines(health).map((line) => `  ${line}`) : []),
    '',
    ...lines,
    '',
    ...(token === undefined ? [] : firstAccountLines(url, token)),
    ...(newKey ? exampleLines(url, newKey, bootstrapped) : []),
    `  Looking for changes ${everyText(checkMinutes)}; the next check is running now.`,
    '  A process that ends is started again. Ctrl-C stops everything.',
    '',
  ].join('\n')
}

const firstAccountLines = (url: string, token: string): string[] => [
  '  Create your account with this link. It works once, until the next start:',
  `  ${linkTo(new URL(url).origin, 'first_account', token)}`,
  '',
]

const thousands = (n: number): string => n.toLocaleString('en-US')
