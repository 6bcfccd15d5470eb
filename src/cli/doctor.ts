import { Command } from 'commander'
import { type Finding, findings } from './doctor-findings.ts'
import { type OutputOptions, print } from './output.ts'

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

function lineOf({ ok, name, detail, neededFor, remedy }: Finding): string {
  if (ok) return `  ok       ${name}: ${detail}`
  if (neededFor === 'running') return `  PROBLEM  ${name}: ${detail}`
  return `  ${neededFor === 'start' ? 'MISSING' : 'missing'}  ${name} (for ${neededFor}): ${detail}${remedy ? `\n           ${remedy}` : ''}`
}
