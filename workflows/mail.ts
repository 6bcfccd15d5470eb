import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'

const { sendMails, sendWatchMails } = proxyActivities<Activities>({
  startToCloseTimeout: '3m',
  heartbeatTimeout: '90s',
  // The next check tries again; until then the workflow has failed with the reason.
  retry: { maximumAttempts: 1 },
})

/** Calls of one workflow; what is left then is sent by the one that the next check starts. */
const MOST_CALLS = 20

async function untilNoneWaits(send: () => Promise<number>): Promise<number> {
  let sent = 0
  for (let calls = 0; calls < MOST_CALLS; calls++) {
    const more = await send()
    if (more === 0) break
    sent += more
  }
  return sent
}

/** Sends the mails that are due: `mail`. A mail server that is slow or does not answer holds up no check. Returns how many were sent. */
export const mail = (): Promise<number> => untilNoneWaits(sendMails)

/** What checks started before there was one outbox. */
export const watchMails = (): Promise<number> => untilNoneWaits(sendWatchMails)
