import { WorkflowFailedError } from '@temporalio/client'
import { Command } from 'commander'
import type { CheckReport as Parts } from '../../../workflows/check-report.ts'
import type { DueReport } from '../../collecting/schema.ts'
import { OperatorError } from '../../lib/errors.ts'
import { plural } from '../../lib/text/plural.ts'
import { checkNow } from '../../temporal/request-check.ts'
import { type OutputOptions, print } from '../output.ts'
import { withInstallation } from '../with-installation.ts'
import { collectedLines, isUnreachable } from './collected-text.ts'

export type CheckReport = Parts & { collected?: DueReport }

export const checkCommand = (): Command =>
  new Command('check')
    .description('run a check now: collect what is due, find changes, send what is due; print what it found and sent')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      withInstallation(async ({ temporal }) => {
        const handle = await checkNow(await temporal())
        const report: CheckReport = await handle.result().catch(notFinished)
        print(options, report, checkText(report))
        if (report.problems.length > 0 || report.collected?.noInternet) process.exitCode = 1
      }),
    )

/** @throws OperatorError when the check was ended, because its worker died or it took too long. */
function notFinished(error: unknown): never {
  if (!(error instanceof WorkflowFailedError)) throw error
  const reason = error.cause?.message ?? error.message
  throw new OperatorError(`The check did not finish: ${reason.replace(/\.$/, '')}. Run it again.`, { cause: error })
}

/** What a check found and sent, in a few lines. */
export function checkText({ collected, fannedOut, delivered, problems }: CheckReport): string {
  const lines: string[] = []
  const { noInternet } = collected ?? {}
  if (noInternet) lines.push(noInternet)
  if (collected)
    lines.push(...collectedLines(collected.collected.filter((outcome) => !(noInternet && isUnreachable(outcome)))))
  if (collected?.more) lines.push(`${plural(collected.more, 'more source')} checked: npx pricetape source list`)
  if (collected && collected.collected.length === 0) lines.push('No source was due.')
  if (collected && collected.slow.length > 0) lines.push(`Collected on their own: ${collected.slow.join(', ')}.`)
  if (fannedOut)
    lines.push(`${plural(fannedOut.events, 'event')} became ${plural(fannedOut.deliveries, 'delivery', 'deliveries')}.`)
  if (delivered) {
    const { started, succeeded, failed, unclear } = delivered
    lines.push(
      `${plural(started, 'attempt')} made: ${succeeded} succeeded, ${failed} failed${unclear > 0 ? `, ${unclear} still open` : ''}.`,
    )
  }
  return [...lines, ...problems.map((problem) => `Problem: ${problem}`)].join('\n')
}
