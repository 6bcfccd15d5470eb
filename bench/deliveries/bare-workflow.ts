import { proxyLocalActivities } from '@temporalio/workflow'

const { nothing } = proxyLocalActivities<{ nothing: () => Promise<void> }>({ startToCloseTimeout: '10s' })

/** The least a durable delivery could be: one workflow with one empty activity, in their fastest known form. */
export async function bare(): Promise<void> {
  await nothing()
}
