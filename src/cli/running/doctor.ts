import { Command } from 'commander'
import { wrap } from '../layout.ts'
import { type OutputOptions, print, terminalWidth } from '../output.ts'
import { type Finding, findings } from './doctor-findings.ts'

export const doctorCommand = (): Command =>
  new Command('doctor')
    .description('what this machine has and lacks for running and testing Pricetape, and how to get it')
    .option('--json', 'print JSON')
    .action(async (options: OutputOptions) => {
      const found = await findings()
      print(options, { findings: found }, found.map(lineOf).join('\n'))
      if (found.some(({ ok, neededFor }) => !ok && isNeeded(neededFor))) process.exitCode = 1
    })

const isNeeded = (what: Finding['neededFor']): boolean => what === 'start' || what === 'running'

const MARGIN = 11

function lineOf({ ok, name, detail, neededFor, remedy }: Finding): string {
  if (ok) return marked('ok', `${name}: ${detail}`)
  if (neededFor === 'running') return marked('PROBLEM', `${name}: ${detail}`)
  const mark = neededFor === 'start' ? 'MISSING' : 'missing'
  return [marked(mark, `${name} (for ${neededFor}): ${detail}`), ...(remedy ? [marked('', remedy)] : [])].join('\n')
}

/** What a mark says, beside it, as wide as the terminal. */
function marked(mark: string, text: string): string {
  const lines = wrap(text, terminalWidth() - MARGIN).split('\n')
  return lines.map((line, n) => `${(n === 0 ? `  ${mark}` : '').padEnd(MARGIN)}${line}`).join('\n')
}
