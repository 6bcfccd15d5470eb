import type { Instant } from '../../lib/instant.ts'
import type { Outcome } from '../events/change-rules.ts'
import { whyPublished } from '../plan/holds/end-rules.ts'
import type { HeldLine, Plan, Proposal } from '../plan/schema.ts'
import {
  absentState,
  confirmedState,
  hasUnjudgedState,
  heldState,
  publishedState,
  supersededRow,
  supersededState,
  unjudgedState,
  waitingState,
} from '../publish/line-state-rules.ts'
import type { Publication } from '../publish/publish-rows.ts'
import { contentHash } from '../row-rules.ts'
import { type KnownLine, type NewRow, servedRow } from '../schema.ts'
import type { LineState } from '../store/publication-store.ts'
import type { StagedInput } from './schema.ts'

/** The rows of a plan, recorded at its instant. */
export type PlannedRows = { published: NewRow[]; held: NewRow[]; released: ReturnType<typeof releasedRow>[] }

/** The proposals of lines that do not exist yet. */
export const newLines = (plan: Plan) =>
  [...plan.publish, ...plan.hold.map(({ proposal }) => proposal)].filter(({ known }) => !known).map(({ line }) => line)

export function plannedRows(plan: Plan, input: StagedInput, lineIds: Map<string, string>, at: Instant): PlannedRows {
  const { snapshotHash, parserVersion, source } = input
  const newRow = ({ key, line, known, money, locator }: Proposal): NewRow => ({
    ...line,
    ...money,
    lineId: known?.lineId ?? lineIds.get(key)!,
    locator,
    snapshotHash,
    parserVersion,
    recordedAt: at,
    contentHash: contentHash(source.source, line, money, at),
    continues: known?.takesOver?.source,
  })
  return {
    published: plan.publish.map(newRow),
    held: plan.hold.map(({ proposal }) => newRow(proposal)),
    released: plan.released.map(({ line }) => releasedRow(line)),
  }
}

/** A held row as it is published now, with what it was recorded with. */
const releasedRow = (line: KnownLine) => ({
  ...line,
  ...line.held!,
  lineId: line.lineId,
  continues: line.takesOver?.source,
})

/** Returns what a plan publishes, holds and confirms. Removals and renamings follow it. */
export function publicationOf(plan: Plan, rows: PlannedRows, input: StagedInput, at: Instant): Publication {
  const { published, held, released } = rows
  const relisted = plan.confirmed.filter((line) => line.removedAt)
  const back = plan.released.flatMap(({ line }) => (line.removedAt ? [line] : []))
  const repriced = plan.publish.flatMap(({ known }) => (known?.removedAt ? [known] : []))
  return {
    source: input.source.source,
    recorded: [...published, ...held],
    rows: [
      ...plan.superseded.map(supersededRow),
      ...published.map((row, i) => ({ row, status: 'auto_approved' as const, reason: whyProposed(plan, i) })),
      ...released.map((row, i) => ({
        row,
        status: 'auto_approved' as const,
        reason: whyReleased(plan.released[i]!),
      })),
      ...held.map((row, i) => ({ row, status: 'pending' as const, reason: plan.hold[i]!.verdict.reasons.join(', ') })),
    ],
    listed: [
      ...published,
      ...released,
      ...relisted.flatMap((line) => (line.current ? [{ ...line, ...line.current }] : [])),
    ],
    relisted: [...relisted, ...repriced, ...back],
    lines: lineStates(plan, rows, at),
    isHistory: input.quiet,
  }
}

/** Why a held row is published. A renaming ends its doubts: the price is the one that the old name had. */
const whyReleased = ({ verdict, renamedFrom }: HeldLine): string | undefined =>
  renamedFrom === undefined ? whyPublished(verdict) : `the published price of ${renamedFrom}, which was renamed`

/** Why a row is published that was not held before. */
function whyProposed({ publish, verdicts }: Plan, index: number): string | undefined {
  const verdict = verdicts.get(publish[index]!)
  return verdict && whyPublished(verdict)
}

/** Returns the state of every line the plan touches, but for those it removes or renames. */
function lineStates(plan: Plan, { published, held, released }: PlannedRows, at: Instant): LineState[] {
  const states: LineState[] = [
    ...published.map((row) => publishedState(row)),
    ...held.map((row, i) => heldState(row, plan.hold[i]!.verdict, plan.hold[i]!.proposal.known)),
    ...plan.confirmed.map(confirmedState),
    ...released.map((row) => publishedState(row)),
    ...plan.waiting.map(waitingState),
    ...plan.unjudged.filter(hasUnjudgedState).map(unjudgedState),
    ...plan.missing.map((line) => absentState(line, at, plan.reasonsToAsk)),
  ]
  const ended = [...plan.removed, ...plan.renamed].flatMap(({ lines }) => lines).concat(plan.retired)
  const written = new Set([...states, ...ended].map(({ lineId }) => lineId))
  return [...states, ...plan.superseded.filter(({ lineId }) => !written.has(lineId)).map(supersededState)]
}

const beforeOf = (known?: KnownLine) => known && servedRow(known)

/** The published rows, each with the row of its line before it. */
export const publishedPairs = (plan: Plan, { published, released }: PlannedRows): Outcome['published'] => [
  ...published.map((row, i) => ({ row, before: beforeOf(plan.publish[i]!.known) })),
  ...released.map((row, i) => ({ row, before: servedRow(plan.released[i]!.line) })),
]

/** What is stored with a row that stays held. */
export const verdictOf = ({ line, verdict: { reasons, evidence } }: HeldLine) => ({
  contentHash: line.held!.contentHash,
  reasons,
  evidence,
})
