import { type Instant, plus } from '../../lib/instant.ts'
import type { RoundTools } from './round-flights.ts'
import type { EndedAttempt, RoundReport } from './round-schema.ts'
import type { ShardTask } from './shard-run.ts'
import { SharedRound } from './shared-round.ts'

/** A shard of a round, and until when the round starts deliveries. */
export type RoundTask = ShardTask & { roundId: string; stopAt: Instant }

export type Rounds = ReturnType<typeof createRounds>

/**
 * The rounds that one process takes part in. A shard claims due deliveries in fair order and lets each one's workflow
 * make its attempt, until nothing is due or its time is up.
 */
export function createRounds(tools: RoundTools) {
  const rounds = new Map<string, SharedRound>()
  return {
    /** Runs one shard of a round. Returns what it did. */
    async run({ roundId, stopAt, ...task }: RoundTask): Promise<RoundReport> {
      const round = rounds.get(roundId) ?? new SharedRound(tools, { roundId, stopAt })
      rounds.set(roundId, round)
      try {
        return await round.join(task)
      } finally {
        if (round.isOver && rounds.get(roundId) === round) rounds.delete(roundId)
      }
    },

    /** A worker of this process has made an attempt, perhaps one that a round here waits for. */
    attemptEnded(attempt: EndedAttempt): void {
      for (const round of rounds.values()) round.attemptEnded(attempt)
    },
  }
}

/** A clock that goes on from an instant of workflow time, `late` milliseconds after it. */
export function clockFrom(start: Instant, late = 0): () => Instant {
  const from = performance.now()
  return () => plus(start, late + Math.round(performance.now() - from))
}
