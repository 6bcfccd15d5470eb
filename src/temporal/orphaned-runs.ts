import type { Client } from '@temporalio/client'

/** Runs once a day and can wait for its own timeouts. */
const PATIENT = ['retention']

/**
 * Ends the runs that schedules started and whose only worker is gone: until their timeouts they would keep the next
 * run from starting. What they did is in the database, and the next run goes on from there.
 */
export async function endOrphanedRuns(client: Client): Promise<number> {
  let ended = 0
  for await (const { scheduleId } of client.schedule.list()) {
    if (PATIENT.includes(scheduleId)) continue
    const { info } = await client.schedule.getHandle(scheduleId).describe()
    for (const { workflow } of info.runningActions) {
      const handle = client.workflow.getHandle(workflow.workflowId, workflow.firstExecutionRunId)
      // One that waits for no activity goes on by itself, or was requested while no worker ran.
      const { raw } = await handle.describe()
      if (!raw.pendingActivities?.length) continue
      await handle.terminate('The worker that ran it has ended.').then(
        () => ended++,
        () => undefined,
      )
    }
  }
  return ended
}
